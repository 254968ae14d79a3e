/* A browser starts no worker from a file: there the search runs in a frame of the page instead.
 * The name of this file keeps the theme from loading another one, of the same purpose, from a server. */
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(script) {
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => setTimeout(() => this.onmessage?.({ data }));
      this.loaded = new Promise((resolve) => {
        const element = inside.document.createElement("script");
        element.src = script;
        element.onload = () => resolve(inside);
        inside.document.body.append(element);
      });
    }

    postMessage(data) {
      this.loaded.then((inside) => inside.onmessage({ data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}

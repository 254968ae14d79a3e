/* A browser starts no worker from a file: there the search runs in a frame of the page instead.
 * The name of this file keeps the theme from loading another one, of the same purpose, from a server. */
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(script) {
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.tell(this, data);
      this.loaded = new Promise((resolve) => {
        const element = inside.document.createElement("script");
        element.src = script;
        element.onload = () => resolve(inside);
        inside.document.body.append(element);
      });
    }

    /* as between threads, neither side has what the other one changes */
    tell(who, data) {
      const message = { data: structuredClone(data) };
      setTimeout(() => who.onmessage?.(message));
    }

    postMessage(data) {
      const message = structuredClone(data);
      this.loaded.then((inside) => this.tell(inside, message));
    }

    terminate() {
      this.frame.remove();
    }
  };
}

/* Reachable by keyboard is what is seen: controls that the theme hides from readers are not, and what
 * is wider than its window is, so that it can be moved. */
const reach = () => {
  document.querySelectorAll("input[aria-hidden], [aria-hidden='true'] input").forEach((each) => {
    each.tabIndex = -1;
  });
  document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset p:has(> img)").forEach((each) => {
    if (each.scrollWidth > each.clientWidth) {
      each.tabIndex = 0;
    } else {
      each.removeAttribute("tabindex");
    }
  });
};

addEventListener("load", reach);
addEventListener("resize", reach);

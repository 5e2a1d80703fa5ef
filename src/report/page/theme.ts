// Light or dark: as the system has it, or as the reader says.

import { button } from "./dom";

const order = ["auto", "light", "dark"] as const;
type Theme = (typeof order)[number];
const words: { [theme in Theme]: string } = {
  auto: "Theme: system",
  light: "Theme: light",
  dark: "Theme: dark",
};

// Storage may be forbidden for pages from files.
function remembered(): Theme {
  try {
    const value = localStorage.getItem("awdit-theme");
    return order.find((theme) => theme === value) ?? "auto";
  } catch {
    return "auto";
  }
}

export function themeButton(): HTMLButtonElement {
  let theme = remembered();
  const show = () => {
    document.documentElement.dataset.theme = theme;
    node.textContent = words[theme];
  };
  const node = button("", () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    try {
      localStorage.setItem("awdit-theme", theme);
    } catch {
      // Then it lasts as long as the page.
    }
    show();
  }, { class: "theme quiet" });
  show();
  return node;
}

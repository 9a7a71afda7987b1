/** Between a button and its menu, px. */
const gap = 4;
/** Between a menu and the edges of the window, px. */
const margin = 8;

interface Size {
  width: number;
  height: number;
}

/** Position of a menu in the window and its maximum height, in px. */
export interface MenuPlace {
  left: number;
  top: number;
  maxHeight: number;
}

/**
 * Below the button, and above it where it does not fit below but does there; where it fits nowhere, on the side with more room, cut to that. The right
 * edges are in line, unless the menu would leave the window.
 */
export function placeOf(
  button: { left: number; right: number; top: number; bottom: number },
  menu: Size,
  window: Size,
): MenuPlace {
  const below = window.height - margin - button.bottom - gap;
  const above = button.top - gap - margin;
  const isBelow = menu.height <= below || below >= above;
  const maxHeight = Math.max(0, isBelow ? below : above);
  const height = Math.min(menu.height, maxHeight);
  return {
    left: Math.max(margin, Math.min(button.right - menu.width, window.width - margin - menu.width)),
    top: isBelow ? button.bottom + gap : button.top - gap - height,
    maxHeight,
  };
}

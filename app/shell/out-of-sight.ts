import type { CSSProperties } from "react";

/**
 * Not laid out before it is nearly in sight. As a style of its own and not by a class: what Chromium (156) has styled before its style
 * sheet came it would leave out half styled, and the page would jump when it is scrolled there.
 */
export const outOfSight: CSSProperties = { contentVisibility: "auto" };

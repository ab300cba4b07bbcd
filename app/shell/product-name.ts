/** Names that pages show. */
export const productName = "Clutchcast";
export const tagline = "CS2 Highlight Generator";
export const copyrightYear = 2025;

/** Draws favicon, touch icon and the picture of link previews into public/ from the logo mark. Run when the mark changes. */
import { readFileSync, writeFileSync } from "node:fs";
import { createCanvas, GlobalFonts, loadImage } from "@napi-rs/canvas";

const publicFolder = new URL("../public/", import.meta.url);
const fonts = new URL("../node_modules/@fontsource/rajdhani/files/", import.meta.url);
GlobalFonts.register(readFileSync(new URL("rajdhani-latin-700-normal.woff2", fonts)), "Rajdhani");

const mark = `<path d="M20 3a17 17 0 0 1 17 17M20 37A17 17 0 0 1 3 20" fill="none" stroke="#eef3fb" stroke-width="4" stroke-linecap="round"/><path d="M20 1v6M20 33v6M1 20h6M33 20h6" stroke="#eef3fb" stroke-width="2.5"/><path d="M15 11.8v16.4a1.2 1.2 0 0 0 1.8 1L30 20.9a1.1 1.1 0 0 0 0-1.9L16.8 10.8a1.2 1.2 0 0 0-1.8 1Z" fill="#ff5a67"/>`;
const tile = (radius) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 56 56"><rect x="-8" y="-8" width="56" height="56" rx="${radius}" fill="#0a0e16"/>${mark}</svg>`;

async function png(svg, size) {
  const image = await loadImage(Buffer.from(svg.replace("<svg ", `<svg width="${size}" height="${size}" `)));
  const canvas = createCanvas(size, size);
  canvas.getContext("2d").drawImage(image, 0, 0, size, size);
  return canvas.toBuffer("image/png");
}

/** An .ico file with one PNG of 32 × 32. */
function ico(picture) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(32, 6);
  header.writeUInt8(32, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(picture.length, 14);
  header.writeUInt32LE(22, 18);
  return Buffer.concat([header, picture]);
}

async function previewPicture() {
  const [width, height] = [1200, 630];
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#070a11";
  context.fillRect(0, 0, width, height);
  for (const { x, color } of [
    { x: 1050, color: "255, 90, 103" },
    { x: 120, color: "93, 178, 255" },
  ]) {
    const glow = context.createRadialGradient(x, -80, 0, x, -80, 760);
    glow.addColorStop(0, `rgba(${color}, 0.28)`);
    glow.addColorStop(1, `rgba(${color}, 0)`);
    context.fillStyle = glow;
    context.fillRect(0, 0, width, height);
  }
  const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300" viewBox="0 0 40 40">${mark}</svg>`;
  context.drawImage(await loadImage(Buffer.from(logo)), 90, 165, 300, 300);
  context.fillStyle = "#eef3fb";
  context.font = "700 132px Rajdhani";
  context.fillText("CLUTCHCAST", 450, 335);
  context.fillStyle = "#a9b6cc";
  context.font = "700 52px Rajdhani";
  context.fillText("CS2 HIGHLIGHT GENERATOR", 456, 410);
  return canvas.toBuffer("image/png");
}

writeFileSync(new URL("favicon.svg", publicFolder), `${tile(12)}\n`);
writeFileSync(new URL("favicon.ico", publicFolder), ico(await png(tile(12), 32)));
writeFileSync(new URL("apple-touch-icon.png", publicFolder), await png(tile(0), 180));
writeFileSync(new URL("icon-512.png", publicFolder), await png(tile(0), 512));
writeFileSync(new URL("og-image.png", publicFolder), await previewPicture());

/**
 * Draws the map icons into public/map_icons/: an emblem for each map, its shape by category (hexagon: defuse, shield: hostage, diamond:
 * arms race), its colours and motif by what players remember of the map. All art is drawn here, none is the game's. Run `npx tsx
 * scripts/draw-map-icons.mjs` after adding a map to contract/maps.ts; a map without its own motif gets its initial on a pattern made from
 * its name.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { mapCatalogue } from "../contract/maps.ts";

const folder = new URL("../public/map_icons/", import.meta.url);

const plates = {
  competitive:
    "M32 2.5 56.5 16.5a3 3 0 0 1 1.5 2.6v25.8a3 3 0 0 1-1.5 2.6L32 61.5 7.5 47.5A3 3 0 0 1 6 44.9V19.1a3 3 0 0 1 1.5-2.6Z",
  hostage: "M32 3c8 5 16 6.5 24 7v24c0 13-10 22-24 27C18 56 8 47 8 34V10c8-.5 16-2 24-7Z",
  armsrace: "M29.9 3.4a3 3 0 0 1 4.2 0l26.5 26.5a3 3 0 0 1 0 4.2L34.1 60.6a3 3 0 0 1-4.2 0L3.4 34.1a3 3 0 0 1 0-4.2Z",
};

/** Motifs on a 64 × 64 field, drawn within 15..49. `a`: the light colour, `b`: the accent, `d`: the dark ground. */
const motifs = {
  de_mirage: (a, b) =>
    `<circle cx="41" cy="21" r="6" fill="${b}"/><path fill="${a}" d="M16 46V31q0-9 7-13 7 4 7 13v15h-4V34q0-4-3-6-3 2-3 6v12Zm16 0V35q0-6 5-9 5 3 5 9v11Zm12 0v-8h4v8Z"/>`,
  de_nuke: (a, b) =>
    `<path fill="${a}" d="M16 46q4-11 3-22h10q-1 11 3 22Zm17 0q3-9 2.5-17h8.5q-.5 8 4 17Z"/><path fill="none" stroke="${b}" stroke-width="3" stroke-linecap="round" d="M21 19q-1-4 3-5m4 5q-1-4 3-5m7 10q-1-4 3-5"/>`,
  de_inferno: (a, b, d) =>
    `<path fill="${a}" d="M25 47V28h-2v-4l9-8 9 8v4h-2v19Z"/><path fill="${d}" d="M29 31q3-4 6 0v5h-6Z"/><path fill="${b}" d="M32 36c1 4 6 5 6 10a6 6 0 0 1-12 0c0-3 2-4 3-6 1 2 2 2 3 2-1-2-1-4 0-6Z"/>`,
  de_dust2: (a, b, d) =>
    `<path fill="${a}" d="M15 46V21h34v25h-8V36q0-8-9-8t-9 8v10Z"/><path fill="${b}" d="M28 38h8v8h-8z"/><path stroke="${d}" stroke-width="1.5" d="m28 38 8 8m0-8-8 8"/><path fill="${a}" d="M15 17h5v4h-5zm9 0h5v4h-5zm11 0h5v4h-5zm9 0h5v4h-5z"/>`,
  de_dust: (a, b) =>
    `<path fill="${a}" d="M15 45q8-10 17-4 8-8 17-3v7Z"/><path fill="${a}" d="M21 38V25h4v10m3 3V20h8v19m3-4V25h4v9"/><circle cx="32" cy="16" r="3" fill="${b}"/>`,
  de_shortdust: (a, b) => `<path fill="${a}" d="M16 46V24h10v12h12V24h10v22Z"/><path fill="${b}" d="M28 20h8v12h-8z"/>`,
  de_ancient: (a, b, d) =>
    `<path fill="${a}" d="M15 46v-6h5v-6h5v-6h4v-6h6v6h4v6h5v6h5v6Z"/><path fill="${d}" d="M29 46V34h6v12Z"/><path fill="${b}" d="M29 15h6v5h-6z"/>`,
  de_ancient_night: (a, b, d) =>
    `<path fill="${a}" d="M15 47v-6h5v-6h5v-6h4v-5h6v5h4v6h5v6h5v6Z"/><path fill="${d}" d="M29 47V36h6v11Z"/><path fill="${b}" d="M36 14a6 6 0 1 0 5 9 7 7 0 0 1-5-9Z"/>`,
  de_anubis: (a, b) =>
    `<path fill="${a}" d="m24 15 5 9h6l5-9 1 14-4 6 1 8-6 6-6-6 1-8-4-6Z"/><path fill="${b}" d="m27 30 4 2-4 1zm10 0-4 2 4 1zm-8 10h6l-3 4z"/>`,
  de_train: (a, b, d) =>
    `<path fill="${a}" d="M20 18q0-3 12-3t12 3v20q0 4-4 4H24q-4 0-4-4Z"/><path fill="${d}" d="M24 21h16v9H24z"/><circle cx="26" cy="36" r="2.5" fill="${b}"/><circle cx="38" cy="36" r="2.5" fill="${b}"/><path stroke="${a}" stroke-width="3" stroke-linecap="round" d="m24 44-4 5m20-5 4 5"/>`,
  de_vertigo: (a, b) =>
    `<path fill="${a}" d="M18 49V33h10v16Zm12 0V23h10v26Z"/><path fill="none" stroke="${b}" stroke-width="3" stroke-linejoin="round" d="M43 49V17M20 17h29M43 13l-8 4m8-4 6 4M25 17v9"/>`,
  de_overpass: (a, b) =>
    `<path fill="${a}" d="M14 26h36v5h-3v15h-5V31q-10 0-10 9v6h-5v-6q0-9-5-9h-2v15h-5V31h-1Z"/><path fill="none" stroke="${b}" stroke-width="3" stroke-linecap="round" d="M17 21q4-4 8 0t8 0 8 0 6 0"/>`,
  de_cache: (a, b) =>
    `<circle cx="32" cy="33" r="4" fill="${b}"/><g fill="${a}"><path d="M29 27a8 8 0 0 1 6 0l5-10a18 18 0 0 0-16 0Z"/><path d="M25.6 34.5a7 7 0 0 0 3 5l-6 9.5a18 18 0 0 1-8-13.5Zm12.8 0a7 7 0 0 1-3 5l6 9.5a18 18 0 0 0 8-13.5Z"/></g>`,
  cs_office: (a, b, d) =>
    `<path fill="${a}" d="M16 19h32v20H16z"/><path fill="${d}" d="M19 22h26v14H19z"/><path fill="${b}" d="M21 34V30h4v4Zm6 0V26h4v8Zm6 0V24h4v10Zm6 0v-6h4v6Z"/><path fill="${a}" d="M28 39h8v5h5v3H23v-3h5Z"/>`,
  cs_italy: (a, b, d) =>
    `<path fill="${a}" d="M16 47V27l16-11 16 11v20Z"/><path fill="${d}" d="M28 47V36q4-5 8 0v11Z"/><path fill="${b}" d="M19 30h6v7h-6zm20 0h6v7h-6z"/>`,
  cs_agency: (a, b) =>
    `<path fill="${a}" d="M19 47V17h16v10h10v20Z"/><path fill="${b}" d="M23 21h4v4h-4zm0 8h4v4h-4zm0 8h4v4h-4zm8-16h2v4h-2zm0 10h4v4h-4zm8 0h3v4h-3zm-8 8h4v8h-4z"/>`,
  cs_shelter: (a, b) =>
    `<path fill="${a}" d="M15 44q0-20 17-20t17 20Z"/><path fill="${b}" d="M28 44v-8h8v8Z"/><path stroke="${a}" stroke-width="3" stroke-linecap="round" d="M32 24v-9m0 2h7"/>`,
  cs_alpine: (a, b) =>
    `<path fill="${a}" d="m14 45 12-22 6 10 5-7 13 19Z"/><path fill="${b}" d="m26 23 4 7-4 2-3-3Zm11 3 4 6-3 2-4-3Z"/>`,
  cs_assault: (a, b, d) =>
    `<path fill="${a}" d="M15 46V27l8-6 9 6 8-6 9 6v19Z"/><path fill="${d}" d="M21 34h22v12H21z"/><path stroke="${b}" stroke-width="2.5" d="M21 38h22m-22 4h22"/>`,
  cs_militia: (a, b) =>
    `<path fill="${a}" d="M17 46V32l12-9 12 9v14Z"/><path fill="${b}" d="M26 37h6v9h-6z"/><path fill="${a}" d="m44 46-5-8h3l-3-7h3l3-9 4 9h2l-2 7h2l-3 8Z" opacity=".75"/>`,
  cs_insertion2: (a, b) =>
    `<path stroke="${a}" stroke-width="3" stroke-linecap="round" d="M16 19h32M32 19v6"/><path fill="${a}" d="M23 25h16q7 3 8 8l-8 4H27q-4-5-4-12Z"/><path stroke="${b}" stroke-width="3" stroke-linecap="round" d="M31 37v11m-4 0h8"/>`,
  ar_shoots: (a, b) =>
    `<path fill="none" stroke="${a}" stroke-width="4" stroke-linecap="round" d="M23 47V20m9 27V15m9 32V22"/><path stroke="${b}" stroke-width="2.5" d="M21 28h4m5-5h4m-4 11h4m5-4h4m-22 8h4m14 1h4"/><path fill="${a}" d="M32 22q8-6 11-3-4 5-11 3Zm-9 4q-7-4-9-1 4 4 9 1Z"/>`,
  ar_shoots_night: (a, b) =>
    `<path fill="none" stroke="${a}" stroke-width="4" stroke-linecap="round" d="M23 47V26m9 21V22m9 25V28"/><path stroke="${b}" stroke-width="2.5" d="M21 34h4m5-5h4m-4 10h4m5-5h4"/><path fill="${b}" d="M35 11a6 6 0 1 0 5 9 7 7 0 0 1-5-9Z"/>`,
  ar_baggage: (a, b, d) =>
    `<path fill="${a}" d="M19 26h26v19H19z"/><path fill="none" stroke="${a}" stroke-width="3" d="M26 26v-6h12v6"/><path stroke="${d}" stroke-width="2.5" d="M25 26v19m14-19v19"/><path fill="${b}" d="M29 33h6v5h-6z"/>`,
  ar_pool_day: (a, b) =>
    `<circle cx="32" cy="27" r="9" fill="none" stroke="${a}" stroke-width="6"/><path stroke="${b}" stroke-width="6" d="M32 15v6m0 12v6M20 27h6m12 0h6"/><path fill="none" stroke="${a}" stroke-width="3" stroke-linecap="round" d="M19 43q4-4 8 0t9 0 9 0"/>`,
  ar_lunacy: (a, b, d) =>
    `<circle cx="32" cy="32" r="15" fill="${a}"/><circle cx="27" cy="27" r="4" fill="${d}" opacity=".5"/><circle cx="38" cy="35" r="5" fill="${d}" opacity=".5"/><circle cx="28" cy="39" r="2.5" fill="${b}"/>`,
  ar_monastery: (a, b) =>
    `<path fill="${a}" d="M18 28q7 0 14-9 7 9 14 9v3H18Zm3 14q6 0 11-7 5 7 11 7v5H21Z"/><path fill="${b}" d="M25 31h3v7h-3zm11 0h3v7h-3z"/>`,
  rush_001: (a, b) =>
    `<path fill="${a}" d="M34 14 19 35h10l-3 15 18-23H33Z"/><path stroke="${b}" stroke-width="3" stroke-linecap="round" d="M15 23h8m-9 18h8"/>`,
  de_boulder: (a, b, d) =>
    `<path fill="${a}" d="m18 42-3-9 7-12 12-4 12 8 3 11-6 8H22Z"/><path fill="none" stroke="${d}" stroke-width="2.5" d="m22 21 6 9-7 12m7-12 12-4 3 14"/><path fill="${b}" d="m34 17 6 9 6-1Z"/>`,
  de_fachwerk: (a, b, d) =>
    `<path fill="${a}" d="M17 47V29l15-14 15 14v18Z"/><path fill="none" stroke="${d}" stroke-width="2.5" d="M17 32h30M17 40h30M25 32v15m14-15v15M25 32l-8 8m22-8 8 8m-15-25v17"/><path fill="${b}" d="M29 40h6v7h-6z"/>`,
  de_debris: (a, b) =>
    `<path fill="${a}" d="M16 46V30l6-4v-7l7 4v8l6-3v6l7-3v8l6 2v5Z"/><path stroke="${b}" stroke-width="2.5" stroke-linecap="round" d="M29 23l3-7m10 15 5-8"/>`,
  de_eldorado: (a, b) =>
    `<path fill="${a}" d="M16 46h32L41 26H23Z"/><path fill="${b}" d="m32 13 3 7 7 .6-5 5 1.5 7L32 29l-6.5 3.6L27 25.6l-5-5 7-.6Z"/>`,
  de_poseidon: (a, b) =>
    `<path fill="none" stroke="${a}" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round" d="M32 14v34M21 17v7q0 8 11 8t11-8v-7m-25 4 3-4 3 4m16 0 3-4 3 4m-17-3 3-4 3 4"/><path fill="none" stroke="${b}" stroke-width="3" stroke-linecap="round" d="M18 43q4-4 8 0m12 0q4-4 8 0"/>`,
  de_golden: (a, b) =>
    `<path fill="${a}" d="M18 30q6 0 14-8 8 8 14 8v3H18Zm4 3h3v14h-3zm17 0h3v14h-3zm-10 0h6v14h-6z"/><circle cx="32" cy="17" r="3" fill="${b}"/>`,
  de_palacio: (a, b, d) =>
    `<path fill="${a}" d="M17 47V28q0-4 4-4h3q0-9 8-9t8 9h3q4 0 4 4v19Z"/><path fill="${d}" d="M28 47V36q4-5 8 0v11Z"/><path fill="${b}" d="M20 31h4v6h-4zm20 0h4v6h-4z"/>`,
  de_rooftop: (a, b) =>
    `<path fill="${a}" d="M15 47V33h12V23h12v8h10v16Z"/><path stroke="${b}" stroke-width="2.5" stroke-linecap="round" d="M33 23v-9m-4 4h8M42 31v-6"/>`,
  de_transit: (a, b) =>
    `<path fill="${a}" d="M17 21h30v17H17z"/><circle cx="24" cy="41" r="4" fill="${b}"/><circle cx="40" cy="41" r="4" fill="${b}"/><path stroke="${b}" stroke-width="2" d="M17 29h30M27 21v8m10-8v8"/>`,
  de_sanctum: (a, b) =>
    `<path fill="${a}" d="M17 46h30v3H17zm2-23 13-9 13 9v3H19Zm2 5h4v16h-4zm9 0h4v16h-4zm9 0h4v16h-4z"/><circle cx="32" cy="21" r="2" fill="${b}"/>`,
  de_stronghold: (a, b, d) =>
    `<path fill="${a}" d="M17 47V20h5v4h5v-4h10v4h5v-4h5v27Z"/><path fill="${d}" d="M28 47V37q4-5 8 0v10Z"/><path fill="${b}" d="M31 26h2v7h-2z"/><path fill="${b}" d="M32 13v7h-2v-7Zm0 0 7 2.5-7 2.5Z"/>`,
  de_warden: (a, b) =>
    `<path fill="none" stroke="${a}" stroke-width="3.5" d="M20 18h24v28H20zM26 18v28m6-28v28m6-28v28"/><path fill="${b}" d="M27 28h10v8H27z"/>`,
  de_grail: (a, b) =>
    `<path fill="${a}" d="M21 17h22q0 15-8 18v6h5v4H24v-4h5v-6q-8-3-8-18Z"/><path fill="${b}" d="m32 20 1.5 4h4l-3.2 2.5 1.2 4L32 28l-3.5 2.5 1.2-4-3.2-2.5h4Z"/>`,
  de_jura: (a, b) =>
    `<path fill="${a}" d="m14 46 10-17 5 7 8-14 13 24Z"/><path fill="${b}" d="M20 18a5 5 0 0 1 9 0Z"/><path fill="none" stroke="${b}" stroke-width="2.5" d="M24.5 18v7"/>`,
  de_brewery: (a, b, d) =>
    `<path fill="${a}" d="M20 25h19v22H20z"/><path fill="none" stroke="${a}" stroke-width="3.5" d="M39 29h5q3 0 3 4v4q0 4-3 4h-5"/><path fill="${b}" d="M18 25q-1-6 5-6 2-5 7-3 6-3 8 3 5 1 3 6Z"/><path stroke="${d}" stroke-width="2.5" d="M25 30v12m5-12v12m5-12v12"/>`,
  de_dogtown: (a, b) =>
    `<path fill="${a}" d="M18 19l8 4h12l8-4v13q0 14-14 16Q18 46 18 32Z"/><circle cx="26" cy="31" r="2.5" fill="${b}"/><circle cx="38" cy="31" r="2.5" fill="${b}"/><path fill="${b}" d="M29 38h6l-3 4z"/>`,
  de_basalt: (a, b) =>
    `<path fill="${a}" d="m24 14 6 3.5v7L24 28l-6-3.5v-7Zm15 6 6 3.5v7L39 34l-6-3.5v-7ZM24 32l6 3.5v7L24 46l-6-3.5v-7Z"/><path fill="${b}" d="m39 37 5 3v6l-5 3-5-3v-6Z"/>`,
  de_edin: (a, b) =>
    `<path fill="${a}" d="M15 46q6-12 11-10l1-13h3v-5h4v5h3l1 13q6-2 11 10Z"/><path fill="${b}" d="M30 29h4v5h-4z"/>`,
  de_palais: (a, b) =>
    `<path fill="${a}" d="M15 46V32h8v-8q0-2 2-2h14q2 0 2 2v8h8v14Z"/><path fill="${a}" d="M26 20q6-8 12 0Z"/><path fill="${b}" d="M29 34h6v12h-6zm-10 2h4v4h-4zm22 0h4v4h-4z"/>`,
  de_whistle: (a, b) =>
    `<path fill="${a}" d="M16 25h26v7l-5 1a9 9 0 1 1-16-1h-5Z"/><circle cx="29" cy="36" r="4" fill="${b}"/><path stroke="${b}" stroke-width="2.5" stroke-linecap="round" d="m44 20 4-4m-8 3v-5"/>`,
  de_thera: (a, b) =>
    `<path fill="${a}" d="M17 46V34h30v12Z"/><path fill="${b}" d="M22 34a10 10 0 0 1 20 0Z"/><path stroke="${b}" stroke-width="2.5" d="M32 24v-9m-3 3h6"/>`,
  de_mills: (a, b) =>
    `<path fill="${a}" d="m27 47 2-18h6l2 18Z"/><path fill="none" stroke="${b}" stroke-width="4" stroke-linecap="round" d="M32 27 19 17m13 10 13-10M32 27 21 39m11-12 11 12"/>`,
  de_assembly: (a, b) =>
    `<path fill="none" stroke="${a}" stroke-width="5" d="M32 22a10 10 0 1 1 0 20 10 10 0 0 1 0-20Z"/><path stroke="${a}" stroke-width="5" d="M32 14v6m0 24v6M14 32h6m24 0h6M19 19l5 5m16 16 5 5m0-26-5 5M24 40l-5 5"/><circle cx="32" cy="32" r="3.5" fill="${b}"/>`,
  de_memento: (a, b, d) =>
    `<path fill="${a}" d="M32 15c9 0 14 6 14 13 0 5-2 8-5 10v6H23v-6c-3-2-5-5-5-10 0-7 5-13 14-13Z"/><circle cx="26.5" cy="30" r="4" fill="${d}"/><circle cx="37.5" cy="30" r="4" fill="${d}"/><path fill="${b}" d="M26 44h3v5h-3zm4.5 0h3v5h-3zm4.5 0h3v5h-3z"/>`,
  de_lake: (a, b) =>
    `<path fill="${a}" d="M24 34V24l8-7 8 7v10Z"/><path fill="none" stroke="${b}" stroke-width="3" stroke-linecap="round" d="M16 39q4-4 8 0t8 0 8 0 8 0m-28 7q4-4 8 0t8 0 8 0"/>`,
  de_canals: (a, b) =>
    `<path fill="${a}" d="M15 26q17-14 34 0v5q-4-2-7-1-3-6-10-6t-10 6q-3-1-7 1Z"/><path fill="${a}" d="M20 39q12 5 24 0l3-4q-1 9-7 10H24q-6-1-7-10Z"/><path fill="${b}" d="M31 29h2v11h-2z"/>`,
  de_cbble: (a, b, d) =>
    `<path fill="${a}" d="M16 47V25h4v-4h4v4h4v-9h8v9h4v-4h4v4h4v22Z"/><path fill="${d}" d="M28 47V35q4-5 8 0v12Z"/><path fill="${b}" d="M20 31h4v5h-4zm20 0h4v5h-4z"/>`,
  de_aztec: (a, b) =>
    `<path fill="${a}" d="M15 46v-5h4v-5h4v-5h4v-4h10v4h4v5h4v5h4v5Z"/><path fill="none" stroke="${b}" stroke-width="3" d="M16 19q16 9 32 0M22 17v6m10-3v6m10-9v6"/>`,
  de_tuscan: (a, b) =>
    `<path fill="${a}" d="M15 46q8-12 17-8t17-4v12Z"/><path fill="${a}" d="M24 36V18h6v15"/><path fill="${b}" d="M40 16q5 8 2 18h-4q-3-10 2-18Z"/>`,
  de_season: (a, b) =>
    `<path fill="${a}" d="M32 14q14 9 12 22-4 8-12 9-8-1-12-9-2-13 12-22Z"/><path fill="none" stroke="${b}" stroke-width="2.5" stroke-linecap="round" d="M32 50V22m0 8 6-4m-6 10-7-5m7 10 7-5"/>`,
  de_blacksite: (a, b) =>
    `<path fill="${a}" d="M16 46V22h32v24Z"/><path fill="none" stroke="${b}" stroke-width="3.5" d="m18 44 10-20m0 20 10-20m0 20 9-18"/><path fill="${a}" d="M16 17h32v3H16z"/>`,
  de_bank: (a, b) =>
    `<circle cx="32" cy="32" r="16" fill="${a}"/><circle cx="32" cy="32" r="10" fill="none" stroke="${b}" stroke-width="3"/><path stroke="${b}" stroke-width="3" stroke-linecap="round" d="M32 27v10m-5-5h10"/>`,
  de_safehouse: (a, b, d) =>
    `<path fill="${a}" d="m14 32 18-16 18 16h-4v15H18V32Z"/><path fill="${d}" d="M27 36v-3a5 5 0 0 1 10 0v3h2v9H25v-9Zm3 0h4v-3a2 2 0 0 0-4 0Z"/><path fill="${b}" d="M31 39h2v4h-2z"/>`,
};

/** Hues of plate and accent, in degrees. Related maps get clearly different ones. */
const hues = {
  de_mirage: [28, 45],
  de_nuke: [205, 55],
  de_inferno: [12, 32],
  de_dust2: [40, 20],
  de_dust: [46, 10],
  de_shortdust: [34, 60],
  de_ancient: [150, 40],
  de_ancient_night: [235, 50],
  de_anubis: [190, 45],
  de_train: [220, 45],
  de_vertigo: [208, 30],
  de_overpass: [125, 195],
  de_cache: [72, 50],
  cs_office: [212, 180],
  cs_italy: [18, 130],
  cs_agency: [262, 190],
  ar_shoots: [105, 45],
  ar_shoots_night: [250, 50],
  ar_baggage: [320, 45],
  ar_pool_day: [192, 350],
  ar_lunacy: [245, 30],
};

const hash = (text) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

/** For a map without a motif: its initial on bars whose lengths are derived from its name. */
function patternMotif(name, displayName, a, b) {
  const bars = [0, 1, 2, 3, 4].map((row) => {
    const width = 8 + ((hash(name) >>> (row * 4)) % 14);
    return `<path stroke="${b}" stroke-width="3" opacity=".6" d="M${32 - width} ${20 + row * 6}h${width * 2}"/>`;
  });
  return `${bars.join("")}<text x="32" y="41" text-anchor="middle" font-family="sans-serif" font-weight="800" font-size="26" fill="${a}">${displayName[0]}</text>`;
}

function emblem({ internalName, displayName, category }) {
  const [hue, accentHue] = hues[internalName] ?? [hash(internalName) % 360, (hash(internalName) % 360) + 150];
  const light = `hsl(${hue} 45% 90%)`;
  const accent = `hsl(${accentHue} 90% 64%)`;
  const dark = `hsl(${hue} 45% 15%)`;
  const motif = motifs[internalName]?.(light, accent, dark) ?? patternMotif(internalName, displayName, light, accent);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<defs><linearGradient id="p" x1="0" y1="0" x2="0" y2="1"><stop stop-color="hsl(${hue} 48% 38%)"/><stop offset="1" stop-color="hsl(${hue} 55% 17%)"/></linearGradient></defs>
<path d="${plates[category]}" fill="url(#p)" stroke="hsl(${hue} 55% 58%)" stroke-width="2"/>
<g transform="translate(32 32) scale(.86) translate(-32 -32)">${motif}</g>
</svg>
`;
}

const unknownMap = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<path d="${plates.competitive}" fill="#162031" stroke="#4a6088" stroke-width="2"/>
<path fill="none" stroke="#a9b6cc" stroke-width="3" stroke-linejoin="round" d="m17 23 10-4 10 4 10-4v22l-10 4-10-4-10 4Zm10-4v22m10-18v22"/>
</svg>
`;

mkdirSync(folder, { recursive: true });
for (const map of mapCatalogue) writeFileSync(new URL(`${map.internalName}.svg`, folder), emblem(map));
writeFileSync(new URL("unknown.svg", folder), unknownMap);
console.log(`${mapCatalogue.length + 1} map icons drawn`);

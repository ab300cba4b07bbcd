import { itemAt } from "../../replay/checked-reads.ts";
import type { PlayerState } from "../../replay/sample-track.ts";
import type { Sprite } from "../display-list.ts";
import { clamp } from "../easing.ts";
import type { IconName } from "../icons/icon-paths.ts";
import { weaponLook } from "../icons/weapon-icons.ts";
import { smallText } from "../layout.ts";
import { accent, healthColour, healthColours, sidePalette } from "../palette.ts";
import { iconWidth, paintIcon, paintPanel, textPadding } from "../sprite-shelf.ts";
import { type Panel, put, putBar, putCentred, putNumber, type Stage } from "../stage.ts";
import { avatarSprite } from "./avatar.ts";
import { equipmentSprite } from "./equipment.ts";

const height = 88;
const avatarSize = 38;
const hasNoAmmunition = /knife|bayonet|grenade|flashbang|molotov|decoy|c4|taser/;

/** The followed player: name, kills of the round, health, armour, kit or bomb, grenades, weapon and ammunition. */
export function playerPanel(stage: Stage): Panel {
  const { shelf, timeline, unit, names } = stage;
  const { width, right, bottom } = stage.layout.playerPanel;
  const { player } = timeline.segment;
  const side = timeline.sides[player] ?? "CT";
  const palette = sidePalette[side];
  const plate = shelf.sprite(`player-panel-${side}`, width, height, (context) => {
    paintPanel(context, width, height, 10, "rgba(8, 13, 21, 0.86)");
    context.fillStyle = palette.main;
    context.beginPath();
    context.roundRect(0.6, 0.6, 6, height - 1.2, [10, 0, 0, 10]);
    context.fill();
  });
  const avatar = avatarSprite(stage, player, avatarSize);
  const nameLeft = 20 + avatarSize + 10;
  const widest = width - 74 - nameLeft;
  const name = shelf.text(itemAt(names, player), { weight: 700, size: 32, colour: "#ffffff", widest });
  const icon = (key: IconName, size: number, colour: string): Sprite =>
    shelf.sprite(`icon-${key}-${size}-${colour}`, size, size, (context, kit) => {
      paintIcon(context, kit, key, size / 2, size / 2, size, size, colour);
    });
  const icons = {
    health: icon("health-normal", 22, healthColours.good),
    critical: icon("health-normal", 22, healthColours.critical),
    kill: icon("skull-crossed-bones", 24, accent),
    fallen: icon("death-skull", 24, "#8a97a8"),
  };
  /** Between three digits of health and three of ammunition. */
  const equipmentLeft = 106;
  const equipment = { size: 21, widest: 112 };
  const weaponLeft = equipmentLeft + equipment.widest + 6;
  const weaponRight = width - 66;
  const weaponArt = (weapon: string): Sprite => {
    const look = weaponLook(weapon);
    const drawnWidth = Math.ceil(iconWidth(look.icon, 30, weaponRight - weaponLeft));
    return shelf.sprite(`weapon-${look.icon}`, drawnWidth, 32, (context, kit) => {
      paintIcon(context, kit, look.icon, drawnWidth / 2, 16, drawnWidth, 30, "#ffffff");
    });
  };
  const number = { weight: 700, size: 32, colour: "#ffffff" } as const;
  const killLook = { weight: 700, size: smallText, colour: "#ffffff" } as const;
  const emptyLook = { ...number, colour: "#ff6b6b" } as const;
  const kills = timeline.kills.filter(
    (kill) => kill.attacker === player && !timeline.isTeammate(kill.attacker, kill.victim),
  );
  const left = Math.round((right - width) * unit);
  const top = Math.round((bottom - height) * unit);
  const x = (at: number) => left + at * unit;
  const y = (at: number) => top + at * unit;
  const upper = 26;
  const lower = 60;

  return (list, { tick }) => {
    const state = timeline.state(player, tick);
    const isAlive = timeline.isAlive(player, tick);
    put(list, plate, left, top);
    putCentred(list, avatar, x(18 + avatarSize / 2), y(upper - 1));
    put(list, name, x(nameLeft - textPadding), y(upper) - name.height / 2);
    const done = kills.filter((kill) => kill.tick <= tick).length;
    if (done > 0) {
      putCentred(list, icons.kill, x(width - 52), y(upper));
      putNumber(list, stage, String(done), killLook, x(width - 16), y(upper + 1), "right");
    }
    if (!state) return;
    const health = isAlive ? state.health : 0;
    putCentred(list, !isAlive ? icons.fallen : health > 20 ? icons.health : icons.critical, x(32), y(lower));
    putNumber(list, stage, String(health), number, x(48), y(lower + 1), "left");
    const bar = (fraction: number, colour: string) =>
      putBar(
        list,
        Math.round(x(20)),
        Math.round(y(height - 8)),
        Math.round((width - 36) * fraction * unit),
        Math.max(1, Math.round(4 * unit)),
        colour,
      );
    bar(1, "#2a3646");
    if (health > 0) bar(clamp(health / 100, 0.02, 1), healthColour(health));
    if (!isAlive) return;
    const items = equipmentSprite(shelf, state, side, equipment);
    if (items) put(list, items, x(equipmentLeft), y(lower) - items.height / 2);
    drawWeapon(list, state);
  };

  function drawWeapon(list: Parameters<Panel>[0], state: PlayerState): void {
    if (state.weapon === null) return;
    const hasAmmunition = state.ammoClip !== null && !hasNoAmmunition.test(state.weapon);
    const art = weaponArt(state.weapon);
    // Where there is no ammunition to count the weapon stands at the edge.
    if (hasAmmunition) putCentred(list, art, x((weaponLeft + weaponRight) / 2), y(lower));
    else put(list, art, x(width - 16) - art.width, y(lower) - art.height / 2);
    if (!hasAmmunition) return;
    const look = state.ammoClip === 0 ? emptyLook : number;
    putNumber(list, stage, String(state.ammoClip), look, x(width - 16), y(lower + 1), "right");
  }
}

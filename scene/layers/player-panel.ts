import { itemAt } from "../../replay/checked-reads.ts";
import type { PlayerState } from "../../replay/sample-track.ts";
import type { Sprite } from "../display-list.ts";
import { clamp } from "../easing.ts";
import type { IconName } from "../icons/icon-paths.ts";
import { weaponLook } from "../icons/weapon-icons.ts";
import { accent, healthColour, healthColours, sidePalette } from "../palette.ts";
import { iconWidth, paintIcon, paintPanel, textPadding } from "../sprite-shelf.ts";
import { type Layer, put, putBar, putCentred, putNumber, type Stage } from "../stage.ts";

const width = 580;
const height = 76;
/** From the frame's lower edge. */
const bottom = 18;
const hasNoAmmunition = /knife|bayonet|grenade|flashbang|molotov|decoy|c4|taser/;

/** The followed player: name, health, armour, kit or bomb, money, kills of the round, weapon and ammunition. */
export function playerPanelLayer(stage: Stage): Layer {
  const { shelf, timeline, unit, names } = stage;
  const { player } = timeline.segment;
  const side = timeline.sides[player] ?? "CT";
  const palette = sidePalette[side];
  const panel = shelf.sprite(`player-panel-${side}`, width, height, (context) => {
    paintPanel(context, 0, 0, width, height, 10, "rgba(8, 13, 21, 0.88)");
    context.fillStyle = palette.main;
    context.beginPath();
    context.roundRect(0.6, 0.6, 6, height - 1.2, [10, 0, 0, 10]);
    context.fill();
    context.fillStyle = "rgba(140, 180, 220, 0.16)";
    context.fillRect(352, 12, 1.2, height - 24);
  });
  const name = shelf.text(itemAt(names, player), { weight: 700, size: 23, colour: "#ffffff", widest: 196 });
  const icon = (key: IconName, size: number, colour: string): Sprite =>
    shelf.sprite(`icon-${key}-${size}-${colour}`, size, size, (context, kit) => {
      paintIcon(context, kit, key, size / 2, size / 2, size, size, colour);
    });
  const icons = {
    health: icon("health-normal", 19, healthColours.good),
    critical: icon("health-normal", 19, healthColours.critical),
    vest: icon("kevlar-vest", 20, "#9fc6ec"),
    helmet: icon("brodie-helmet", 20, "#9fc6ec"),
    kit: icon("triple-plier", 19, "#8fd6a0"),
    bomb: icon("time-bomb", 20, sidePalette.T.main),
    kill: icon("skull-crossed-bones", 17, accent),
    fallen: icon("death-skull", 19, "#8a97a8"),
  };
  const weaponArt = (weapon: string) => {
    const look = weaponLook(weapon);
    const drawnWidth = Math.ceil(iconWidth(look.icon, 32, 96));
    return {
      sprite: shelf.sprite(`weapon-${look.icon}`, drawnWidth, 34, (context, kit) => {
        paintIcon(context, kit, look.icon, drawnWidth / 2, 17, drawnWidth, 32, "#ffffff");
      }),
      name: shelf.text(look.name, { weight: 600, size: 14, colour: "#9fb3c8", widest: 110 }),
    };
  };
  const number = { weight: 700, size: 22, colour: "#ffffff" } as const;
  const moneyLook = { weight: 600, size: 17, colour: "#8fd6a0" } as const;
  const ammoLook = { weight: 700, size: 32, colour: "#ffffff" } as const;
  const emptyLook = { ...ammoLook, colour: "#ff6b6b" } as const;
  const reserveLook = { weight: 600, size: 17, colour: "#8a97a8" } as const;
  const kills = timeline.kills.filter(
    (kill) => kill.attacker === player && !timeline.isTeammate(kill.attacker, kill.victim),
  );
  const left = Math.round(stage.width / 2 - (width / 2) * unit);
  const top = Math.round(stage.height - (bottom + height) * unit);
  const x = (at: number) => left + at * unit;
  const y = (at: number) => top + at * unit;

  return (list, { tick }) => {
    const state = timeline.state(player, tick);
    const isAlive = timeline.isAlive(player, tick);
    put(list, panel, left, top);
    put(list, name, x(18 - textPadding), y(23) - name.height / 2);
    const done = kills.filter((kill) => kill.tick <= tick).length;
    for (let i = 0; i < Math.min(done, 6); i++) putCentred(list, icons.kill, x(330 - i * 20), y(23));
    if (!state) return;
    const health = isAlive ? state.health : 0;
    putCentred(list, !isAlive ? icons.fallen : health > 20 ? icons.health : icons.critical, x(28), y(53));
    putNumber(list, stage, String(health), number, x(43), y(54), "left");
    const bar = (fraction: number, colour: string, alpha: number) =>
      putBar(
        list,
        Math.round(x(84)),
        Math.round(y(49)),
        Math.round(82 * fraction * unit),
        Math.round(8 * unit),
        colour,
        alpha,
      );
    bar(1, "#2a3646", 1);
    if (health > 0) bar(clamp(health / 100, 0.02, 1), healthColour(health), 1);
    if (!isAlive) return;
    drawArmour(list, state);
    drawWeapon(list, state);
    // Some recordings tell no money; nothing is better than a wrong nought.
    if (state.money > 0) {
      putNumber(list, stage, `$${state.money.toLocaleString("en-US")}`, moneyLook, x(342), y(54), "right");
    }
  };

  function drawArmour(list: Parameters<Layer>[0], state: PlayerState): void {
    putCentred(list, state.helmet ? icons.helmet : icons.vest, x(188), y(53), state.armor > 0 ? 1 : 0.35);
    putNumber(list, stage, String(state.armor), number, x(202), y(54), "left", state.armor > 0 ? 1 : 0.5);
    if (state.hasBomb) putCentred(list, icons.bomb, x(258), y(53));
    else if (state.defuseKit) putCentred(list, icons.kit, x(258), y(53));
  }

  function drawWeapon(list: Parameters<Layer>[0], state: PlayerState): void {
    if (state.weapon === null) return;
    const art = weaponArt(state.weapon);
    putCentred(list, art.sprite, x(412), y(29));
    putCentred(list, art.name, x(412), y(59));
    if (state.ammoClip === null || hasNoAmmunition.test(state.weapon)) return;
    putNumber(list, stage, String(state.ammoClip), state.ammoClip === 0 ? emptyLook : ammoLook, x(512), y(39), "right");
    if (state.ammoReserve > 0) putNumber(list, stage, `/ ${state.ammoReserve}`, reserveLook, x(518), y(43), "left");
  }
}

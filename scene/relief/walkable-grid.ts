/** Which part of the map a grid covers; row 0 is in the north. World units. */
export interface GridFrame {
  columns: number;
  rows: number;
  /** Side of a cell. */
  cell: number;
  west: number;
  north: number;
}

/** Where people can stand on one floor: a raster over the map. World units. */
export interface WalkableGrid extends GridFrame {
  /** Signed distance to the edge of the walkable area: positive inside. */
  edgeDistance: Float32Array;
  /** Height of the ground; outside the walkable area that of the nearest ground. */
  height: Float32Array;
  /** Null where nobody walked below others. */
  deck: Deck | null;
}

/** Ground that people walked on and below: catwalks, bridges, roofs. On the cells of its grid. */
export interface Deck {
  /** Signed distance to the deck's edge: positive on it. */
  edgeDistance: Float32Array;
  /** Height of the deck; around the deck that of its nearest cell. */
  height: Float32Array;
}

/** The arrows between the houses: app → contract, scene, replay; backend → contract, scene, replay; scene → contract, replay. */
const onlyKnows = (house, ...friends) => ({
  name: `${house}-knows-only-${friends.join("-") || "itself"}`,
  severity: "error",
  from: { path: `^${house}/` },
  to: {
    path: "^(app|backend|contract|replay|scene|server\\.ts)",
    pathNot: [`^${house}/`, ...friends.map((f) => `^${f}/`)],
  },
});

/**
 * The files that wait for somebody else, and therefore set deadlines: those of `backend/waits/deadlines.ts`, of a child's
 * work, or of requests to us. Whoever needs another one gives it a deadline first (decision 090).
 */
const waitForOthers = [
  "backend/children/(start-child|parent-channel|containment)\\.ts",
  "backend/demos/track/(flights-thread|read-flights-beside)\\.ts",
  "backend/operator/operator-socket\\.ts",
  "backend/outgoing/(pinned-request|public-address)\\.ts",
  "backend/storage/(embedded-database|data-directory-lock)\\.ts",
  "backend/video/(run-ffmpeg|ffmpeg)\\.ts",
  "server\\.ts",
  // Asks nobody: `isIPv4`.
  "backend/config\\.ts",
];

/** The rooms of the backend in which the product's work is done: whoever asks, and over what, is none of their business. */
const domain = [
  "accounts",
  "automation",
  "clips",
  "demos",
  "highlights",
  "library",
  "maps",
  "matches",
  "retention",
  "video",
  "webhooks",
];
/** What they stand on. */
const ground = ["children", "jobs", "outgoing", "storage", "waits"];
/** What the outside reaches, and what stands above all. */
const border = ["api", "cli", "http", "operator", "supervision", "web"];
const rooms = (...names) => `^backend/(${names.join("|")})/`;

/** The other rooms of the backend that a room must not know. Its tests may set up more than it knows itself. */
const roomKnowsNot = (room, ...others) => ({
  name: `backend-${room}-knows-not-${others.join("-")}`,
  severity: "error",
  from: { path: rooms(room), pathNot: ["\\.test\\.ts$", "/testing/"] },
  to: { path: rooms(...others) },
});

module.exports = {
  forbidden: [
    ...domain.map((room) => roomKnowsNot(room, ...border)),
    ...ground.map((room) => roomKnowsNot(room, ...border, ...domain.filter((other) => other !== "video"))),
    roomKnowsNot("http", "api", "operator", "web"),
    roomKnowsNot("web", "api", "operator"),
    roomKnowsNot("api", "operator", "web"),
    // The same work without a server: it knows the domain, and nobody knows it.
    roomKnowsNot("cli", "accounts", "api", "http", "library", "operator", "retention", "supervision", "web"),
    ...["api", "http", "operator", "web"].map((room) => roomKnowsNot(room, "cli")),
    // What an operator sees and does, by a call of the API or by a command.
    roomKnowsNot("supervision", "api", "http", "cli", "operator", "web"),
    // A clip is of a match; a match knows of no clips. Both together are the library.
    roomKnowsNot("matches", "clips", "library", "retention", "video"),
    roomKnowsNot("clips", "library", "retention"),
    roomKnowsNot("maps", "accounts", "clips", "matches", "library", "demos", "retention"),
    roomKnowsNot("library", "retention"),
    roomKnowsNot("accounts", "matches", "clips", "library", "demos", "highlights", "retention", "video"),
    roomKnowsNot("demos", "accounts", "matches", "clips", "library", "retention", "video"),
    roomKnowsNot("video", "maps", "accounts", "matches", "clips", "library", "demos", "retention"),
    roomKnowsNot("highlights", "accounts", "matches", "clips", "library", "demos", "retention", "video", ...ground),
    {
      name: "the-domain-knows-no-http",
      comment: "Refuse with a Refusal (backend/refusal.ts); the border says it in its own way.",
      severity: "error",
      from: { path: rooms(...domain, ...ground), pathNot: ["\\.test\\.ts$", "/testing/"] },
      to: { path: "node_modules/(hono|@hono|@remix-run|@fastify)/" },
    },
    {
      name: "only-the-wiring-knows-the-api",
      severity: "error",
      from: { path: "^(backend|server\\.ts)", pathNot: [rooms("api"), "^server\\.ts$", "\\.test\\.ts$", "/testing/"] },
      to: { path: rooms("api") },
    },
    onlyKnows("app", "contract", "scene", "replay"),
    onlyKnows("backend", "contract", "scene", "replay"),
    onlyKnows("scene", "contract", "replay"),
    onlyKnows("contract"),
    onlyKnows("replay"),
    {
      name: "pure-houses-import-no-node",
      severity: "error",
      from: { path: "^(contract|replay|scene)/", pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "only-listed-files-wait-for-others",
      comment: "Give the wait a deadline (backend/waits/deadlines.ts, decision 090), then list the file above.",
      severity: "error",
      from: {
        path: "^(app|backend)/|^server\\.ts",
        pathNot: ["\\.test\\.ts$", "/testing/", ...waitForOthers.map((f) => `^${f}$`)],
      },
      to: {
        path: "^(node:)?(http|https|http2|net|tls|dgram|dns|dns/promises|child_process|worker_threads|cluster)$",
        dependencyTypes: ["core"],
        dependencyTypesNot: ["type-only"],
      },
    },
    { name: "no-circular", severity: "error", from: {}, to: { circular: true, dependencyTypesNot: ["type-only"] } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};

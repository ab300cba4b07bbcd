/** The arrows of docs/architecture: app → contract, scene, replay; backend → contract, scene, replay; scene → replay. */
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
 * The files that wait for somebody else, and therefore set deadlines: those of `backend/http/deadlines.ts`, of a child's
 * work, or of requests to us. Whoever needs another one gives it a deadline first (decision 090).
 */
const waitForOthers = [
  "backend/children/(start-child|containment)\\.ts",
  "backend/demos/(pinned-request|public-address)\\.ts",
  "backend/demos/(flights-thread|read-flights-beside)\\.ts",
  "backend/operator/operator-socket\\.ts",
  "backend/storage/(embedded-database|data-directory-lock)\\.ts",
  "backend/video/(encode|ffmpeg)\\.ts",
  "server\\.ts",
  // Asks nobody: `isIPv4`.
  "backend/config\\.ts",
];

module.exports = {
  forbidden: [
    onlyKnows("app", "contract", "scene", "replay"),
    onlyKnows("backend", "contract", "scene", "replay"),
    onlyKnows("scene", "replay"),
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
      comment: "Give the wait a deadline (backend/http/deadlines.ts, decision 090), then list the file above.",
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

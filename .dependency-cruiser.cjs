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
    { name: "no-circular", severity: "error", from: {}, to: { circular: true, dependencyTypesNot: ["type-only"] } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};

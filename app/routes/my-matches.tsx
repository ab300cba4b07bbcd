export { action, default, ErrorBoundary, loader, meta } from "./matches._index.tsx";

export { action, clientAction, default, ErrorBoundary, loader, meta } from "./matches._index.tsx";

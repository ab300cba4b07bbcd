export { action, clientAction, default, ErrorBoundary, loader, meta, shouldRevalidate } from "./matches._index.tsx";

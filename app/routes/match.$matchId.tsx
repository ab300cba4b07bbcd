export { action, default, ErrorBoundary, loader, meta } from "./matches.$matchId.tsx";

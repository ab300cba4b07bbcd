export { action, clientAction, default, ErrorBoundary, loader, meta } from "./matches.$matchId.tsx";

export {
  action,
  clientAction,
  default,
  ErrorBoundary,
  handle,
  loader,
  meta,
  shouldRevalidate,
} from "./matches.$matchId.tsx";

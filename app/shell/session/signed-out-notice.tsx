import { useSearchParams } from "@remix-run/react";
import { Icon } from "../pieces/icon.tsx";
import { useSessionUser } from "./use-session-user.ts";

/** What came of signing out on all devices; signing out on this one alone needs no words. */
export function SignedOutNotice() {
  const [query] = useSearchParams();
  const isSignedIn = useSessionUser() !== null;
  const where = query.get("logout");
  if (isSignedIn || (where !== "everywhere" && where !== "here")) return null;
  return where === "everywhere" ? (
    <p role="status" className="panel mb-8 flex items-center gap-3 p-4 font-semibold text-win">
      <Icon name="check" />
      You are signed out on all devices.
    </p>
  ) : (
    <p role="alert" className="panel mb-8 flex items-center gap-3 p-4 font-semibold text-tee">
      <Icon name="alert" />
      You are signed out here, but not on your other devices. Please sign in and try again.
    </p>
  );
}

import { useSearchParams } from "@remix-run/react";
import { Icon } from "../pieces/icon.tsx";
import { useSessionUser } from "./use-session-user.ts";

/** Confirms signing out on all devices, or deleting the account. Signing out on this device needs no words. */
export function SignedOutNotice() {
  const [query] = useSearchParams();
  const isSignedIn = useSessionUser() !== null;
  const where = query.get("logout");
  const isDeleted = query.get("account") === "deleted";
  if (isSignedIn || (!["everywhere", "all", "here"].includes(where ?? "") && !isDeleted)) return null;
  return where !== "here" ? (
    <p role="status" className="panel mb-8 flex items-center gap-3 p-4 font-semibold text-win">
      <Icon name="check" />
      {isDeleted
        ? "Your account is being deleted. Your matches and clips will be gone within minutes."
        : where === "all"
          ? "You are signed out on all devices, and your access tokens are revoked."
          : "You are signed out on all devices."}
    </p>
  ) : (
    <p role="alert" className="panel mb-8 flex items-center gap-3 p-4 font-semibold text-tee">
      <Icon name="alert" />
      You are signed out here, but not on your other devices. Please sign in and try again.
    </p>
  );
}

import { Link, useNavigate } from "@remix-run/react";
import { Icon } from "./pieces/icon.tsx";

/** Back in history; for a visitor who came here first, and without JavaScript, to the start page. */
export function BackButton() {
  const navigate = useNavigate();
  return (
    <Link
      to="/"
      className="btn btn-quiet"
      onClick={(event) => {
        if (history.length < 2) return;
        event.preventDefault();
        navigate(-1);
      }}
    >
      <Icon name="back" />
      Back
    </Link>
  );
}

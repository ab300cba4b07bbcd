import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { HighlightCard } from "../highlights/highlight-card.tsx";
import { HighlightFilters } from "../highlights/highlight-filters.tsx";
import { deleteClipQuestion, deleteMatchQuestion } from "./pieces/delete-button.tsx";

/* A name that is written from right to left must not turn what stands beside it: `<bdi>` is what keeps it apart. */

const person = (name: string) => ({ name, steam_id: null, avatar_url: null });

test("a highlight's card keeps the names of its player and of the victims apart", () => {
  const highlight = {
    id: 1,
    highlight_type: "ace" as const,
    kills_count: 2,
    display_name: null,
    player_name: "سارا",
    player_steam_id: null,
    player_avatar_url: null,
    round_number: 3,
    victims_data: [person("דנה"), person("2Pac")],
    score: 1,
    reason: "2 kills in 6.2 s",
  };
  const page = renderToStaticMarkup(
    <HighlightCard
      highlight={highlight}
      isActive
      isOverridden={false}
      isTopPick={false}
      onToggle={() => {}}
      matchPath="/matches/x"
      picturesUrl={null}
    />,
  );
  expect(page).toMatch(/<bdi[^>]*>سارا<\/bdi>/);
  expect(page).toContain("Victims: <bdi>דנה</bdi>, <bdi>2Pac</bdi>");
});

test("the filters keep the names of teams and players apart", () => {
  const player = { key: "name:سارا", name: "سارا", avatarUrl: null };
  const page = renderToStaticMarkup(
    <HighlightFilters
      query={new URLSearchParams()}
      teams={[{ name: "דנה", players: [player] }]}
      players={[]}
      categories={[]}
      highlights={[]}
      onToggle={() => {}}
    />,
  );
  expect(page).toMatch(/<bdi[^>]*>سارا<\/bdi>/);
  expect(page).toMatch(/<bdi[^>]*>דנה<\/bdi>/);
});

test("the questions before something is deleted keep the name apart, and read as they are specified", () => {
  const clip = renderToStaticMarkup(deleteClipQuestion("سارا"));
  expect(clip).toContain("&quot;<bdi>سارا</bdi>&quot;?");
  expect(clip.replace(/<\/?bdi>/g, "").replaceAll("&quot;", '"')).toBe(
    'Are you sure you want to delete "سارا"? This will permanently remove the clip from your account. This action cannot be undone.',
  );
  expect(renderToStaticMarkup(deleteMatchQuestion("سارا")).replace(/<\/?bdi>/g, "")).toBe(
    "Are you sure you want to delete the match on سارا ? This action cannot be undone and will also delete all associated highlights.",
  );
});

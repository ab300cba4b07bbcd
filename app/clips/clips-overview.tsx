import { Link, useFetcher, useLocation, useRevalidator } from "@remix-run/react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import type { ClipFilter } from "../../contract/schemas/clip-lists.ts";
import { MatchHeading } from "../matches/shared/match-heading.tsx";
import { ConnectionNotice } from "../shell/asking/connection-notice.tsx";
import { giveFocus, useHeirOfFocus } from "../shell/heir-of-focus.ts";
import { announce } from "../shell/notices/awaited-clips.ts";
import { useHydrated } from "../shell/use-hydrated.ts";
import { appendGroups, type ClipGroupSummary, type ClipsPage, withoutClips } from "./clip-groups.ts";
import { filterQuery, isFiltered } from "./filters/clip-filter.ts";
import { ClipFilters } from "./filters/clip-filters.tsx";
import type { MapOption } from "./filters/map-options.server.ts";
import { groupLabels } from "./group-labels.ts";
import { ClipCard } from "./shared/clip-card.tsx";
import { LoopSwitch } from "./shared/clip-loop.tsx";
import { usePolledClips } from "./shared/use-polled-clips.ts";
import { StorageMeter } from "./storage-meter.tsx";

interface ClipsOverviewProps {
  page: ClipsPage;
  /** Own clips can be deleted and link to their match. */
  isOwn: boolean;
  endMessage: string;
  header: ReactNode;
  empty: ReactNode;
  /** The page's filter. */
  filter: ClipFilter;
  maps: readonly MapOption[];
}

/** Statistics, filters, and clips by match. */
export function ClipsOverview({ page, isOwn, endMessage, header, empty, filter, maps }: ClipsOverviewProps) {
  const { pathname } = useLocation();
  const { total_clips: clips, total_views: views, total_likes: likes } = page.stats;
  return (
    <>
      {header}
      <dl className="mt-6 grid grid-cols-3 gap-3 sm:max-w-2xl sm:gap-5">
        <Stat label="Total Clips" value={clips} />
        <Stat label="Total Views" value={views} />
        <Stat label="Total Likes" value={likes} />
      </dl>
      {page.storage ? <StorageMeter {...page.storage} /> : null}
      {clips > 1 || isFiltered(filter) ? (
        <div className="clip-filters mt-6">
          <ClipFilters action={pathname} filter={filter} maps={maps} />
        </div>
      ) : null}
      {/* Further loaded clips belong to one address. The filters stay when that changes, and keep the focus. */}
      <ClipGroups
        key={`${page.offset} ${filterQuery(filter)}`}
        page={page}
        isOwn={isOwn}
        endMessage={endMessage}
        empty={empty}
        filter={filter}
      />
    </>
  );
}

/** The clips by match; loads more as the reader comes near the end. */
function ClipGroups({
  page,
  isOwn,
  endMessage,
  empty,
  filter,
}: Pick<ClipsOverviewProps, "page" | "isOwn" | "endMessage" | "empty" | "filter">) {
  const { groups, nextOffset, isLoading, hasFailed, sentinel, moreLink, loadMore, onDeleted } = useClipPages(
    page,
    filter,
  );
  const { pathname } = useLocation();
  const isHydrated = useHydrated();
  const polled = usePolledClips(useMemo(() => groups.flatMap((group) => group.clips), [groups]));
  const clipById = new Map(polled.clips.map((clip) => [clip.id, clip]));
  const labels = groupLabels(groups.map((group) => group.map_display_name));
  return (
    <>
      {polled.clips.some((clip) => clip.loop_url) ? (
        <div className="loop-row ml-auto w-fit">
          <LoopSwitch />
        </div>
      ) : null}
      {groups.length > 0 || nextOffset !== null ? null : isFiltered(filter) ? (
        <p
          role="status"
          className="mt-8 rounded-2xl border border-dashed border-line-2 px-6 py-14 text-center text-fog"
        >
          No clip fits these filters.
        </p>
      ) : (
        empty
      )}
      {groups.map((group, position) => (
        <GroupSection key={group.match_id} label={group.match_id === null ? group.map_display_name : labels[position]}>
          <div className="border-b border-line pb-4">
            <MatchHeading match={group}>
              {isOwn && group.match_id !== null ? (
                <Link to={`/matches/${group.match_id}`} className="inline-flex min-h-11 items-center hover:text-flare">
                  {group.map_display_name}
                </Link>
              ) : null}
            </MatchHeading>
          </div>
          <ul className="mt-5 grid gap-5 md:grid-cols-2 min-[100rem]:grid-cols-3">
            {group.clips.map((clip, index) => (
              <li key={clip.id} className="grid min-w-0 grid-cols-1">
                <ClipCard
                  clip={clipById.get(clip.id) ?? clip}
                  isFirst={position === 0 && index === 0}
                  onDeleted={isOwn ? () => onDeleted(clip.id) : undefined}
                />
              </li>
            ))}
          </ul>
        </GroupSection>
      ))}
      <div ref={sentinel} className="mt-10 min-h-11 text-center text-fog">
        <p role="status">
          {isLoading
            ? "Loading more clips..."
            : hasFailed
              ? "More clips could not be loaded."
              : nextOffset === null && groups.length > 0
                ? endMessage
                : ""}
        </p>
        {nextOffset !== null ? (
          <Link
            ref={moreLink}
            to={pageAddress(pathname, filter, nextOffset)}
            className="btn btn-quiet"
            reloadDocument={!isHydrated}
            // Stays while clips are loading: removing it would lose the focus.
            aria-disabled={isLoading || undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              loadMore();
            }}
          >
            More clips
          </Link>
        ) : null}
      </div>
      <ConnectionNotice isLost={polled.isLost} />
    </>
  );
}

/** A group disappears with its last clip. The focus then moves to the next group, or to the message that there are no clips, else to the page's heading. */
function GroupSection({ label, children }: { label: string | undefined; children: ReactNode }) {
  const section = useHeirOfFocus<HTMLElement>((gone) => [
    gone.nextElementSibling?.querySelector("h2"),
    gone.closest("main")?.querySelector("h1"),
  ]);
  return (
    <section ref={section} aria-label={label} className="mt-10">
      {children}
    </section>
  );
}

function pageAddress(pathname: string, filter: ClipFilter, offset: number): string {
  const query = filterQuery(filter);
  query.set("offset", String(offset));
  return `${pathname}?${query}`;
}

function Stat({ label, value }: { label: string; value: number }) {
  return (
    <div className="panel flex flex-col-reverse px-3 py-3 sm:px-5 sm:py-4">
      <dt className="text-sm text-fog">{label}</dt>
      <dd className="figure text-2xl leading-none sm:text-4xl">{value.toLocaleString("en-US")}</dd>
    </div>
  );
}

/** Joins the loaded pages; loads the next one once less than 1000 px of the page are below the viewport. */
function useClipPages(first: ClipsPage, filter: ClipFilter) {
  const { pathname } = useLocation();
  const fetcher = useFetcher<{ page: ClipsPage } | null>();
  const { revalidate } = useRevalidator();
  const [more, setMore] = useState<{ groups: ClipGroupSummary[]; nextOffset: number | null } | null>(null);
  const [deleted, setDeleted] = useState<ReadonlySet<number>>(new Set());
  const sentinel = useRef<HTMLDivElement>(null);
  const moreLink = useRef<HTMLAnchorElement>(null);
  const isPressed = useRef(false);
  /** Number of newly loaded groups, the first of which is to take the focus; 0 if it stays where it is. */
  const arrived = useRef(0);
  const nextOffset = more ? more.nextOffset : first.nextOffset;
  const isLoading = fetcher.state !== "idle";
  const asked = useRef<number | null>(null);
  /** The offset of the part that was loaded last. */
  const loaded = useRef<number | null>(null);
  const shown = useRef<readonly ClipGroupSummary[]>(first.groups);
  const { load } = fetcher;
  const next = nextOffset === null ? null : pageAddress(pathname, filter, nextOffset);

  useEffect(() => {
    const page = fetcher.data?.page;
    const wasPressed = isPressed.current;
    isPressed.current = false;
    if (!page) return;
    const known = new Set(shown.current.map((group) => group.match_id));
    const groups = page.groups.filter((group) => !known.has(group.match_id));
    const count = groups.reduce((sum, { clips }) => sum + clips.length, 0);
    // A part that is reloaded, for example after a deletion, is not announced, though a group may have moved into it.
    if (loaded.current !== page.offset) announce(`${count} more clip${count === 1 ? "" : "s"}`);
    loaded.current = page.offset;
    const hasFocus = moreLink.current !== null && moreLink.current === document.activeElement;
    // If the button can be pressed again, it keeps a focus that it got without a click.
    if (hasFocus && (wasPressed || page.nextOffset === null)) arrived.current = groups.length;
    setMore((before) => ({ groups: appendGroups(before?.groups ?? [], page.groups), nextOffset: page.nextOffset }));
  }, [fetcher.data]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once what has arrived is shown.
  useEffect(() => {
    let group: Element | null | undefined = sentinel.current;
    for (let steps = arrived.current; steps > 0; steps--) group = group?.previousElementSibling;
    const heading = arrived.current > 0 && group?.querySelector("h2");
    arrived.current = 0;
    if (!heading) return;
    giveFocus(heading);
    heading.scrollIntoView({ block: "nearest" });
  }, [more]);

  useEffect(() => {
    if (next === null || isLoading || !sentinel.current) return;
    const { scrollHeight } = document.documentElement;
    const footerPixels = scrollHeight - (sentinel.current.getBoundingClientRect().top + scrollY);
    const observer = new IntersectionObserver(
      (entries) => {
        // The fetcher is idle for a moment before its answer has changed the offset.
        if (asked.current === nextOffset || !entries.some((entry) => entry.isIntersecting)) return;
        asked.current = nextOffset;
        load(`${next}&part`);
      },
      { rootMargin: `${limits.infiniteScrollMarginPixels - footerPixels}px` },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [nextOffset, isLoading, next, load]);

  const groups = useMemo(
    () => withoutClips(appendGroups(first.groups, more?.groups ?? []), deleted),
    [first.groups, more, deleted],
  );
  shown.current = groups;
  const loadMore = () => {
    if (next === null || isLoading) return;
    isPressed.current = true;
    asked.current = nextOffset;
    load(`${next}&part`);
  };
  const hasFailed = fetcher.state === "idle" && fetcher.data === null;
  const onDeleted = (id: number) => {
    setDeleted((before) => new Set(before).add(id));
    revalidate();
  };
  return { groups, nextOffset, isLoading, hasFailed, sentinel, moreLink, loadMore, onDeleted };
}

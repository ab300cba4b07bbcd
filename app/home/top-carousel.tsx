import { Link, useNavigate } from "@remix-run/react";
import { type CSSProperties, type TouchEvent, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import type { TopListName } from "../../contract/schemas/clip-lists.ts";
import { ClipLength } from "../clips/shared/clip-length.tsx";
import { ClipLoop } from "../clips/shared/clip-loop.tsx";
import { Counters } from "../clips/shared/counters.tsx";
import { useFirstPlay } from "../clips/shared/use-first-play.ts";
import { outOfSight } from "../shell/out-of-sight.ts";
import { Avatar } from "../shell/pieces/avatar.tsx";
import { Dots } from "../shell/pieces/dots.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { StepLink } from "../shell/pieces/step-link.tsx";
import { useHydrated } from "../shell/use-hydrated.ts";
import type { CarouselClip } from "./carousel-clip.ts";
import type { FirstOfList } from "./first-clips.ts";
import { useNearViewport } from "./use-near-viewport.ts";

interface TopCarouselProps {
  list: TopListName;
  title: string;
  icon: string;
  /** The clip that was loaded with the page. */
  first: FirstOfList;
  /** All clips of the list, once they are loaded. */
  all: readonly CarouselClip[] | null;
  /** Resolves to false if they cannot be loaded. */
  askForAll: () => Promise<boolean>;
  /** The address that shows another clip of this list without JavaScript. */
  addressOf: (index: number) => string;
  /** Whether its poster loads eagerly, as the page's first does. */
  loadsAtOnce: boolean;
}

const swipePixels = 40;
/** Heights of title, maker and counter, and of the title alone, so that a carousel that is not drawn yet takes exactly its space. */
const aroundVideo = 160;
const aroundNothing = 76;

interface Step {
  index: number;
  /** Offset in pixels from which the clip slides in. */
  from: number;
}

/** One list of the home page: a clip at a time, wrapping around. */
export function TopCarousel({ list, title, icon, first, all, askForAll, addressOf, loadsAtOnce }: TopCarouselProps) {
  const navigate = useNavigate();
  const [step, setStep] = useState<Step | null>(null);
  const touchStart = useRef<number | null>(null);
  const section = useRef<HTMLElement>(null);
  const isNear = useNearViewport(section, limits.lazyVideoMarginPixels, loadsAtOnce);
  const count = all?.length || first.count;
  /** Index to which the visitor has turned; shown as soon as it is loaded. */
  const wanted = (step?.index ?? first.index) % Math.max(1, count);
  const turned = step ? all?.[wanted] : undefined;
  const index = turned ? wanted : first.index;
  const clip = turned ?? first.clip;
  const isWaiting = step !== null && all === null;
  const wrap = (by: number) => (wanted + by + count) % count;

  async function go(by: number) {
    const next = wrap(by);
    setStep({ index: next, from: by * 24 });
    if (await askForAll()) return;
    // Falls back to the link, whose page says what is wrong.
    setStep(null);
    navigate(addressOf(next), { preventScrollReset: true });
  }

  /** Loads the other clips when somebody points at the carousel, and so may turn it. */
  function prepare() {
    if (count > 1) void askForAll();
  }

  function onTouchEnd(event: TouchEvent) {
    const moved = (event.changedTouches[0]?.clientX ?? 0) - (touchStart.current ?? 0);
    if (touchStart.current !== null && count > 1 && Math.abs(moved) > swipePixels) void go(moved < 0 ? 1 : -1);
    touchStart.current = null;
  }

  return (
    <section
      ref={section}
      id={list}
      aria-label={title}
      aria-busy={isWaiting}
      onPointerEnter={prepare}
      onFocus={prepare}
      style={{
        ...outOfSight,
        containIntrinsicHeight: `auto ${limits.carouselVideoHeightPixels + (clip ? aroundVideo : aroundNothing)}px`,
      }}
      className="panel flex flex-col overflow-hidden"
    >
      <div className="flex min-h-15 items-center gap-2.5 py-1.5 pr-2 pl-4">
        <Icon name={icon} className="size-5 text-flare" />
        <h3 className="mr-auto text-xl">{title}</h3>
        {count > 1 ? (
          <>
            <StepLink
              direction="left"
              label={`Previous clip in ${title}`}
              to={addressOf(wrap(-1))}
              onStep={() => void go(-1)}
            />
            <StepLink
              direction="right"
              label={`Next clip in ${title}`}
              to={addressOf(wrap(1))}
              onStep={() => void go(1)}
            />
          </>
        ) : null}
      </div>
      {clip ? (
        <div
          key={clip.id}
          onTouchStart={(event) => {
            touchStart.current = event.touches[0]?.clientX ?? null;
          }}
          onTouchEnd={onTouchEnd}
          style={{ "--from": `${step?.from ?? 0}px` } as CSSProperties}
          className={turned ? "animate-slide" : isWaiting ? "opacity-60 transition-opacity delay-150" : ""}
        >
          <Stage clip={clip} isNear={isNear} />
          <div className="flex items-center gap-3 px-4 pt-3">
            <Link
              to={`/users/${clip.user.steam_id}/clips`}
              className="flex min-h-11 min-w-0 items-center gap-2.5 text-sm font-semibold text-fog hover:text-chalk"
            >
              <Avatar url={clip.user.avatar_url} of={clip.user.steam_id} className="size-8" />
              <bdi className="truncate">{clip.user.username}</bdi>
            </Link>
            <Counters likes={clip.likes_count} views={clip.views_count} className="ml-auto" />
          </div>
        </div>
      ) : (
        <p
          style={{ minHeight: limits.carouselVideoHeightPixels }}
          className="mx-4 mb-4 grid flex-1 place-items-center rounded-lg border border-dashed border-line text-haze"
        >
          No clips available
        </p>
      )}
      <div
        hidden={count === 0}
        className="mt-auto grid [&[hidden]]:hidden min-h-11 grid-cols-[1fr_auto] items-center gap-3 px-4 pb-2"
      >
        <Dots count={count} current={index} />
        {count > 0 ? (
          <p aria-live="polite" className="figure col-start-2 text-fog">
            {index + 1} / {count}
          </p>
        ) : null}
      </div>
    </section>
  );
}

/** The video area: a poster that leads to the clip, and a button that plays it here. */
function Stage({ clip, isNear }: { clip: CarouselClip; isNear: boolean }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [isPlayed, setPlayed] = useState(false);
  const isHydrated = useHydrated();
  const countView = useFirstPlay(clip.public_id);
  const height = limits.carouselVideoHeightPixels;
  return (
    <div style={{ height }} className="relative overflow-hidden bg-ink">
      {isNear ? (
        // biome-ignore lint/a11y/useMediaCaption: the sound is synthesised effects without speech; names are drawn in the picture.
        <video
          ref={video}
          playsInline
          preload="none"
          poster={clip.thumbnail_url ?? undefined}
          aria-label={clip.display_name}
          onPlay={() => {
            countView();
            setPlaying(true);
            setPlayed(true);
          }}
          onPause={() => setPlaying(false)}
          className={`size-full ${isPlaying ? "object-contain" : "object-cover"}`}
        >
          {clip.video_url ? <source src={clip.video_url} type="video/mp4" /> : null}
        </video>
      ) : clip.thumbnail_url ? (
        <img src={clip.thumbnail_url} alt="" loading="lazy" height={height} className="size-full object-cover" />
      ) : null}
      {clip.loop_url && !isPlayed ? <ClipLoop url={clip.loop_url} /> : null}
      <Link
        to={`/clips/${clip.id}`}
        prefetch="none"
        className="absolute inset-0 flex items-end bg-linear-to-t from-void via-void/55 via-25% to-transparent to-60% p-4 pr-18"
      >
        <span className="line-clamp-2 font-display text-lg leading-tight font-bold text-chalk">
          {clip.display_name}
        </span>
      </Link>
      {isPlayed ? null : <ClipLength seconds={clip.duration_seconds} className="top-2 right-2" />}
      {isHydrated && clip.video_url ? (
        <button
          type="button"
          aria-label={`${isPlaying ? "Pause" : "Play"} ${clip.display_name}`}
          // Pausing before the video has begun rejects `play`, which is not a failure.
          onClick={() => (isPlaying ? video.current?.pause() : void video.current?.play().catch(() => {}))}
          className="absolute right-3 bottom-3 grid size-12 place-items-center rounded-full bg-flare text-void shadow-lg transition-transform hover:scale-105"
        >
          <Icon name={isPlaying ? "pause" : "play"} className="size-6" />
        </button>
      ) : null}
    </div>
  );
}

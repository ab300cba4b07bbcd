import type { Clip, ClipVideo, ClipVideos } from "../../contract/schemas/clips.ts";
import type { MessageClip, MessageFormat, MessageMatch } from "../../contract/schemas/webhook-messages.ts";
import type { WebhookEvent } from "../../contract/webhooks.ts";
import { withVideos } from "../clips/clip-videos.ts";
import { presentClips } from "../clips/present-clip.ts";
import { matchDetail } from "../library/match-detail.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { clipOfSubject } from "./announce.ts";

/** What a message is about, with addresses as the world reaches them. */
type About = { clip: MessageClip; format?: MessageFormat } | { match: MessageMatch };

/**
 * The text that a script gets: the same at every try while nothing about its subject changes.
 * @returns null when there is nothing to be said any more: the clip, or the match, is gone
 */
export async function scriptBody(
  services: Services,
  user: User,
  { event, subject, at }: { event: string; subject: string; at: Date },
): Promise<string | null> {
  const data =
    event === "test" ? { message: "Clutchcast reaches this address." } : await aboutOf(services, user, event, subject);
  return data && JSON.stringify({ type: event, timestamp: at.toISOString(), data });
}

async function aboutOf(services: Services, user: User, event: string, subject: string): Promise<About | null> {
  if ((event as WebhookEvent) === "match.imported") return matchFacts(services, user, subject);
  const { clipId, format } = clipOfSubject(subject);
  const clip = await clipOf(services, user, clipId);
  if (!clip) return null;
  if (!format) return { clip: clipFacts(services, clip) };
  const added = clip.formats.find((video) => video.format === format);
  return added ? { clip: clipFacts(services, clip), format: formatFacts(services, added) } : null;
}

type ToldClip = Clip & ClipVideos;

async function clipOf(services: Services, user: User, clipId: number): Promise<ToldClip | null> {
  const [clip] = await presentClips(services, [clipId], user.id);
  return clip ? withVideos(services, clip) : null;
}

const absolute = ({ config }: Services, path: string | null | undefined) => (path ? config.publicUrl + path : null);

function clipFacts(services: Services, clip: ToldClip): MessageClip {
  return {
    id: clip.id,
    name: clip.display_name,
    status: clip.render_status,
    error: clip.render_error,
    url: `${services.config.publicUrl}/clips/${clip.public_id}`,
    video_url: absolute(services, clip.video_url),
    poster_url: absolute(services, clip.wide_poster_url ?? clip.poster_url),
    share_url: absolute(services, clip.share_url),
    format: clip.format,
    duration_seconds: clip.duration_seconds,
    made_for_you: clip.made_for_you ?? false,
    visibility: clip.visibility,
    match_id: clip.match_id,
    map: clip.map_name,
    created_at: clip.created_at,
    highlights: clip.highlights.map(({ highlight_type, round_number, player_name, player_steam_id }) => ({
      type: highlight_type,
      round: round_number,
      player: { name: player_name, steam_id: player_steam_id },
    })),
  };
}

function formatFacts(services: Services, video: ClipVideo): MessageFormat {
  return {
    name: video.format,
    width: video.width,
    height: video.height,
    status: video.render_status,
    error: video.render_error,
    video_url: absolute(services, video.video_url),
    poster_url: absolute(services, video.poster_url),
  };
}

async function matchFacts(services: Services, user: User, matchId: string): Promise<About | null> {
  const match = await matchDetail(services, user, matchId, { includePlayers: false });
  if (!match) return null;
  return {
    match: {
      id: match.match_id,
      url: `${services.config.publicUrl}/matches/${match.match_id}`,
      map: match.map_name,
      game_mode: match.game_mode,
      played_at: match.match_date,
      score: [match.score_team1, match.score_team2],
      highlights_count: match.highlights_count,
    },
  };
}

/** `--color-flare` of the pages. */
const accent = 0xff5a67;

/** Discord takes 256 characters of a title and 4096 of a description. */
const titleCharacters = 240;
const textCharacters = 1000;

/**
 * What Discord is sent: the clip's link, under which Discord plays its file for chat apps as the page offers it. An embed of ours cannot
 * play, and would stand in place of Discord's own; it is for clips of which Discord can load no video. Names of players are text: they mention nobody and format
 * nothing.
 * Source: discord.com/developers/docs/resources/webhook#execute-webhook
 * @returns null when the clip is gone, or is not ready
 */
export async function discordBody(
  services: Services,
  user: User,
  { event, subject, at }: { event: string; subject: string; at: Date },
): Promise<string | null> {
  const base = { allowed_mentions: { parse: [] }, username: "Clutchcast" };
  if (event === "test") {
    const embed = {
      title: "Clutchcast reaches this channel",
      description: "Your clips will be shown here.",
      color: accent,
    };
    return JSON.stringify({ ...base, embeds: [embed] });
  }
  const clip = await clipOf(services, user, Number(subject));
  if (clip?.render_status !== "completed") return null;
  const facts = clipFacts(services, clip);
  const isLocal = services.config.localIdentity;
  // Discord loads the picture itself, which it cannot from somebody's own machine; nor may it take such an address for a link.
  const image =
    isLocal || services.config.VIEWING === "members" || !facts.poster_url ? {} : { image: { url: facts.poster_url } };
  const link = isLocal ? {} : { url: facts.url };
  const where = [clip.highlight_info, clip.map_display_name].filter(Boolean).join(" · ");
  const footer = clip.made_for_you ? "Made for you by Clutchcast" : "Clutchcast";
  if (isPlayable(services, clip)) {
    const title = `**${asText(clip.display_name, titleCharacters)}**`;
    // The version, since a link that was shared before the video was ready is kept without it (decision 143).
    const version = new URL(facts.video_url ?? facts.url).searchParams.get("v");
    const link = version ? `${facts.url}?v=${version}` : facts.url;
    const text = [title, asText(where, textCharacters), `-# ${footer}`, link];
    return JSON.stringify({ ...base, content: text.filter(Boolean).join("\n") });
  }
  return JSON.stringify({
    ...base,
    embeds: [
      {
        title: asText(clip.display_name, titleCharacters),
        ...link,
        description: [asText(where, textCharacters), ...(isLocal ? [facts.url] : [])].join("\n"),
        color: accent,
        ...image,
        timestamp: at.toISOString(),
        footer: { text: footer },
      },
    ],
  });
}

/** Whether Discord can load the clip's page and finds a video there that it plays. */
function isPlayable({ config }: Services, clip: ToldClip): boolean {
  return !config.localIdentity && config.VIEWING === "public" && clip.share_url !== null;
}

/** Text that Discord shows as it is, cut to so many characters as they are sent. */
export function asText(text: string, characters: number): string {
  const escaped = [...text].map((character) => (/[\\*_~`|>#[\]()<@:-]/.test(character) ? `\\${character}` : character));
  let shown = "";
  for (const piece of escaped) {
    if (shown.length + piece.length > characters) break;
    shown += piece;
  }
  return shown;
}

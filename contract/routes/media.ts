import { z } from "zod";
import { describeRoute } from "../api-route.ts";
import { clipFormatNames } from "../clip-formats.ts";
import { ofClip, queryValue } from "./parameters.ts";
import { conditions, rangeOutside } from "./refusals.ts";

const fileQuery = z.object({
  /** Version of the content, as in `video_url`. */
  v: queryValue,
  /** `1` to save the file. */
  download: queryValue,
});

const formatFileQuery = fileQuery.extend({
  /** Without one that in which the clip was created. */
  format: z.enum(clipFormatNames).optional(),
});

const notReady = (description: string) =>
  ({ 409: [{ description, code: "not_ready" }], ...conditions, ...rangeOutside }) as const;

const notRendered = notReady("The video is not rendered yet; said to its owner");

const videoAnswers = {
  200: { description: "The whole video", contentType: "video/mp4" },
  206: { description: "A range of it", contentType: "video/mp4" },
  302: { description: "Where the store gives the video" },
  304: { description: "Not changed" },
} as const;

const pictureAnswers = {
  200: { description: "The picture", contentType: "image/jpeg" },
  206: { description: "A range of it", contentType: "image/jpeg" },
  302: { description: "Where the store gives the picture" },
  304: { description: "Not changed" },
} as const;

/** Videos, posters, thumbnails and loops of finished clips, for everybody. */
export const media = {
  video: describeRoute({
    method: "get",
    path: "/video/clips/:id/",
    summary: "The video of a clip",
    description: "Answers ranges, HEAD and conditional requests. With an S3 store it redirects to a signed address.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: formatFileQuery,
    answers: videoAnswers,
    errors: notRendered,
  }),
  share: describeRoute({
    method: "get",
    path: "/video/clips/:id/share.mp4",
    summary: "The video of a clip in at most 9.5 MB",
    description: "For previews and chat apps. It follows the video: until it is made, the answer is 409.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: fileQuery,
    answers: videoAnswers,
    errors: notReady("The file is not made yet"),
  }),
  loop: describeRoute({
    method: "get",
    path: "/video/clips/:id/loop.mp4",
    summary: "Three seconds of a clip, for cards",
    description:
      "Around the decisive moment, in 16:9, without panels and without sound, to be repeated. It follows the video: until it is made, the answer is 409.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: fileQuery,
    answers: videoAnswers,
    errors: notReady("The loop is not made yet"),
  }),
  poster: describeRoute({
    method: "get",
    path: "/video/clips/:id/poster.jpg",
    summary: "The poster of a clip",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: formatFileQuery,
    answers: pictureAnswers,
    errors: notRendered,
  }),
  widePoster: describeRoute({
    method: "get",
    path: "/video/clips/:id/wide-poster.jpg",
    summary: "The poster of a clip in 16:9",
    description: "For previews of links. Upright clips that are older than such posters have none: the answer is 409.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: fileQuery,
    answers: pictureAnswers,
    errors: notReady("There is none of this clip"),
  }),
  thumbnail: describeRoute({
    method: "get",
    path: "/video/clips/:id/thumbnail.jpg",
    summary: "The poster of a clip at half its size",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: fileQuery,
    answers: pictureAnswers,
    errors: notRendered,
  }),
};

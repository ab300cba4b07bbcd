import type { Migration } from "kysely";
import * as initial from "./001-initial.ts";
import * as boundedColumns from "./002-bounded-columns.ts";
import * as fairOrder from "./003-fair-order.ts";
import * as viewsByNetwork from "./004-views-by-network.ts";
import * as unreadColumns from "./005-unread-columns.ts";
import * as detectedAnew from "./006-detected-anew.ts";
import * as clipFormats from "./007-clip-formats.ts";
import * as clipLoops from "./008-clip-loops.ts";
import * as mapFootprints from "./009-map-footprints.ts";
import * as compilations from "./010-compilations.ts";
import * as foundClips from "./011-found-clips.ts";
import * as clipMoments from "./012-clip-moments.ts";
import * as matchPictures from "./013-match-pictures.ts";
import * as customHighlights from "./014-custom-highlights.ts";
import * as counts from "./015-counts.ts";
import * as storedBytes from "./016-stored-bytes.ts";
import * as sessionDevices from "./017-session-devices.ts";
import * as automation from "./018-automation.ts";
import * as webhooks from "./019-webhooks.ts";
import * as accessTokens from "./020-access-tokens.ts";
import * as unlistedClips from "./021-unlisted-clips.ts";
import * as automaticVisibility from "./022-automatic-visibility.ts";
import * as editedClips from "./023-edited-clips.ts";
import * as heldDeletions from "./024-held-deletions.ts";
import * as automaticPlaces from "./025-automatic-places.ts";
import * as highlightsOfParts from "./026-highlights-of-parts.ts";
import * as stillsOfMoments from "./027-stills-of-moments.ts";
import * as playersOfHighlights from "./028-players-of-highlights.ts";
import * as rankedClips from "./029-ranked-clips.ts";
import * as foundSignatures from "./030-found-signatures.ts";
import * as listChanges from "./031-list-changes.ts";
import * as mapsOfHighlights from "./032-maps-of-highlights.ts";
import * as uploadsInParts from "./033-uploads-in-parts.ts";

/** Every migration by name, in order; listed by hand because a bundle has no folder to read them from. */
export const migrations: Record<string, Migration> = {
  "001-initial": initial,
  "002-bounded-columns": boundedColumns,
  "003-fair-order": fairOrder,
  "004-views-by-network": viewsByNetwork,
  "005-unread-columns": unreadColumns,
  "006-detected-anew": detectedAnew,
  "007-clip-formats": clipFormats,
  "008-clip-loops": clipLoops,
  "009-map-footprints": mapFootprints,
  "010-compilations": compilations,
  "011-found-clips": foundClips,
  "012-clip-moments": clipMoments,
  "013-match-pictures": matchPictures,
  "014-custom-highlights": customHighlights,
  "015-counts": counts,
  "016-stored-bytes": storedBytes,
  "017-session-devices": sessionDevices,
  "018-automation": automation,
  "019-webhooks": webhooks,
  "020-access-tokens": accessTokens,
  "021-unlisted-clips": unlistedClips,
  "022-automatic-visibility": automaticVisibility,
  "023-edited-clips": editedClips,
  "024-held-deletions": heldDeletions,
  "025-automatic-places": automaticPlaces,
  "026-highlights-of-parts": highlightsOfParts,
  "027-stills-of-moments": stillsOfMoments,
  "028-players-of-highlights": playersOfHighlights,
  "029-ranked-clips": rankedClips,
  "030-found-signatures": foundSignatures,
  "031-list-changes": listChanges,
  "032-maps-of-highlights": mapsOfHighlights,
  "033-uploads-in-parts": uploadsInParts,
};

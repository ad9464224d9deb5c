import type { FragmentVisibility as WireVisibility } from '../../gen/viam/app/v1/fragment_pb';
import type { FragmentVisibility } from './entities';

const PRIVATE: WireVisibility.PRIVATE = 1;
const PUBLIC: WireVisibility.PUBLIC = 2;
const PUBLIC_UNLISTED: WireVisibility.PUBLIC_UNLISTED = 3;

/** Visibility that a user can select. */
export type KnownVisibility = Exclude<FragmentVisibility, 'unknown'>;

/**
 * Request value for all visibilities, because the service treats an empty list as "public only".
 */
export const EVERY_VISIBILITY: WireVisibility[] = [PRIVATE, PUBLIC, PUBLIC_UNLISTED];

export function visibilityFromWire(wire: WireVisibility): FragmentVisibility {
  switch (wire) {
    case PRIVATE:
      return 'private';
    case PUBLIC:
      return 'public';
    case PUBLIC_UNLISTED:
      return 'publicUnlisted';
    default:
      return 'unknown';
  }
}

export function visibilityToWire(visibility: KnownVisibility): WireVisibility {
  switch (visibility) {
    case 'private':
      return PRIVATE;
    case 'public':
      return PUBLIC;
    case 'publicUnlisted':
      return PUBLIC_UNLISTED;
  }
}

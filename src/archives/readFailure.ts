import { FleetError } from '../core/api/errors';
import { displayText } from '../core/model/displayText';
import type { Localizer } from '../base/localizer';
import { FileChanged } from './diskPieces';
import { codeOf } from './fileErrors';
import { IgnoreRulesRefused } from './ignoreRules';
import { BuildReplaced } from './packBuild';

/** Why a build at `path` could not be read, for people. What else went wrong is answered as it is. */
export function readFailure(cause: unknown, path: string, l10n: Localizer): unknown {
  if (cause instanceof FileChanged) {
    const changed = l10n.t(
      '{0} changed while it was read. Upload again once nothing writes to it.',
      displayText(cause.path),
    );
    return new FleetError('conflict', changed, { cause });
  }
  if (cause instanceof BuildReplaced) {
    const replaced = l10n.t(
      '{0} changed since it was checked. Upload again, which checks it again.',
      displayText(cause.path),
    );
    return new FleetError('conflict', replaced, { cause });
  }
  if (cause instanceof IgnoreRulesRefused) {
    const refused = l10n.t(
      '{0} cannot be used: it has to be a file, no link, of 1,000 lines and 100,000 bytes at most.',
      displayText(cause.path),
    );
    return new FleetError('invalid', refused, { cause });
  }
  return ofSystem(cause, displayText(pathOf(cause) ?? path), l10n);
}

function ofSystem(cause: unknown, place: string, l10n: Localizer): unknown {
  const code = codeOf(cause);
  switch (code) {
    // What is aborted has a code of Node, too.
    case 'ABORT_ERR':
    case undefined:
      return cause;
    case 'ENOENT':
      return new FleetError(
        'notFound',
        l10n.t('{0} is not there. Build the module first.', place),
        {
          cause,
        },
      );
    case 'EACCES':
    case 'EPERM':
      return new FleetError('invalid', l10n.t('{0} may not be read by you.', place), { cause });
    default:
      return new FleetError('invalid', l10n.t('{0} cannot be read ({1}).', place, code), { cause });
  }
}

function pathOf(error: unknown): string | undefined {
  const isPlaced = error instanceof Error && 'path' in error && typeof error.path === 'string';
  return isPlaced ? String(error.path) : undefined;
}

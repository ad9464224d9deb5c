import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { FleetError } from '../core/api/errors';
import { displayText } from '../core/model/displayText';
import { MAX_DESCRIPTION_BYTES } from '../core/modules/manifest/checkSources';
import type { Localizer } from '../base/localizer';
import { leavesFolder } from './leavesFolder';

/**
 * Returns a reader for text files in a manifest's folder. Files that a manifest names are published
 * with the module, so it reads nothing outside the folder, not even through links.
 *
 * @param folder on this computer, absolute
 */
export function readBeside(folder: string, l10n: Localizer): (path: string) => Promise<string> {
  return async (path) => {
    const root = await realpath(folder);
    const place = isAbsolute(path) ? path : join(root, path);
    const real = await realpath(place).catch((cause: unknown) => {
      const message = l10n.t('The manifest names "{0}", which doesn\'t exist.', displayText(path));
      throw new FleetError('notFound', message, { cause });
    });
    if (leavesFolder(relative(root, real))) {
      throw refused(
        l10n.t(
          'The manifest names "{0}", which is outside its folder. Descriptions are published, so only files in the folder are read.',
          displayText(path),
        ),
      );
    }
    const stats = await stat(real);
    // Reading anything else, such as a pipe, would block until something writes to it.
    if (!stats.isFile()) {
      throw refused(l10n.t('The manifest names "{0}", which is not a file.', displayText(path)));
    }
    if (stats.size > MAX_DESCRIPTION_BYTES) {
      throw refused(l10n.t('"{0}" is too long for a description.', displayText(path)));
    }
    return readFile(real, 'utf8');
  };
}

function refused(message: string): FleetError {
  return new FleetError('invalid', message);
}

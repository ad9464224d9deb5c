import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { FleetError } from '../core/api/errors';
import { toDisplayText } from '../core/model/displayText';
import { MAX_DESCRIPTION_BYTES } from '../core/modules/manifest/checkSources';
import type { Localizer } from '../base/localizer';
import { leavesFolder } from './safePaths';

/**
 * Returns a reader for text files in a manifest's folder. Files that a manifest names are published
 * with the module, so the reader doesn't read anything outside the folder, not even through links.
 *
 * @param folder absolute path on this computer
 */
export function createSiblingReader(
  folder: string,
  l10n: Localizer,
): (path: string) => Promise<string> {
  return async (path) => {
    const root = await realpath(folder);
    const fullPath = isAbsolute(path) ? path : join(root, path);
    const real = await realpath(fullPath).catch((cause: unknown) => {
      const message = l10n.t(
        'The manifest references "{0}", which doesn\'t exist.',
        toDisplayText(path),
      );
      throw new FleetError('notFound', message, { cause });
    });
    if (leavesFolder(relative(root, real))) {
      throw createInvalidError(
        l10n.t(
          'The manifest references "{0}", which is outside its folder. Descriptions are published, so only files in the folder are read.',
          toDisplayText(path),
        ),
      );
    }
    const stats = await stat(real);
    // Reading other kinds of files, such as pipes, would block until something writes to them.
    if (!stats.isFile()) {
      throw createInvalidError(
        l10n.t('The manifest references "{0}", which is not a file.', toDisplayText(path)),
      );
    }
    if (stats.size > MAX_DESCRIPTION_BYTES) {
      throw createInvalidError(
        l10n.t('"{0}" is too large to use as a description.', toDisplayText(path)),
      );
    }
    return readFile(real, 'utf8');
  };
}

function createInvalidError(message: string): FleetError {
  return new FleetError('invalid', message);
}

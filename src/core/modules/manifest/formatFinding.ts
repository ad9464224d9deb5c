import { toDisplayText } from '../../model/toDisplayText';
import type { Localizer } from '../../../base/localizer';
import { FIELD_WORDS, type FormatMessage } from './fieldWords';
import type { BuildCode, FindingCode, ManifestFinding } from './manifestFinding';

/** Messages for problems with the folder of a manifest or with the build output. */
const BUILD_WORDS: Readonly<Record<BuildCode, FormatMessage>> = {
  notBuilt: (l10n, field, path) =>
    l10n.t("{0}: {1} doesn't exist. The build hasn't created it yet.", field, path),
  buildOutside: (l10n, field, path) =>
    l10n.t('{0}: {1} points outside the manifest folder through a link.', field, path),
  fileMissing: (l10n, field, path, build) =>
    build === ''
      ? l10n.t("{0}: the file {1} doesn't exist.", field, path)
      : l10n.t("{0}: the file {1} doesn't exist in {2}.", field, path, build),
  descriptionMissing: (l10n, _field, path) =>
    l10n.t('{0} is not in the manifest folder. Create the file, or correct "markdown_link".', path),
  descriptionTooLong: (l10n, _field, path) =>
    l10n.t("{0} is longer than 1 MB. The registry doesn't accept longer descriptions.", path),
  headingMissing: (l10n, _field, path, heading) =>
    l10n.t('{0} has no heading "{1}", which the manifest links to.', path, heading),
  fileIsFolder: (l10n, field, path) => l10n.t('{0}: {1} is a folder, not a file.', field, path),
  fileNotFile: (l10n, field, path) =>
    l10n.t('{0}: {1} is not a file, or is a broken symbolic link.', field, path),
  fileOutside: (l10n, field, path) =>
    l10n.t("{0}: {1} is outside the module. Machines wouldn't have the file.", field, path),
  fileNotExecutable: (l10n, field, path) =>
    l10n.t("{0}: {1} is not executable, so machines can't start it.", field, path),
  scriptInterpreter: (l10n, path) =>
    l10n.t(
      "{0}: the first line doesn't specify the full path of the program that runs the script, such as #!/bin/sh.",
      path,
    ),
  scriptLineEnds: (l10n, path) =>
    l10n.t(
      '{0}: the file has Windows (CRLF) line endings. Machines would look for an interpreter whose name ends in CR and fail. Convert it to LF.',
      path,
    ),
  programPlatform: (l10n, path, found, wanted) =>
    l10n.t("{0} is a program for {1}. It doesn't run on {2}.", path, found, wanted),
  programForeign: (l10n, path, format) =>
    l10n.t('{0} is a program ({1}) for an unsupported platform.', path, format),
  programUnknown: (l10n, path) =>
    l10n.t(
      "{0} is neither a program nor a script with a first line such as #!/bin/sh. Machines can't start it.",
      path,
    ),
  commandMissing: (l10n, field, path) =>
    l10n.t("{0}: the script {1} doesn't exist in the folder of the manifest.", field, path),
  commandNotExecutable: (l10n, field, path) =>
    l10n.t('{0}: {1} is not executable, so the build fails.', field, path),
  linkOutside: (l10n, path, target) =>
    l10n.t(
      "The link {0} points to {1}, which is outside the build. Machines wouldn't have that file.",
      path,
      target,
    ),
  linkLoop: (l10n, path, target) =>
    l10n.t('The link {0} points to {1}, which points back to the link.', path, target),
  absolutePath: (l10n, path) => l10n.t('The archive contains an absolute path: {0}.', path),
  parentPath: (l10n, path) =>
    l10n.t(
      'The archive contains {0}, which is outside the folder that the archive is extracted to.',
      path,
    ),
  longPath: (l10n, path) => l10n.t('The path {0} or its target is too long for machines.', path),
  controlCharacters: (l10n, path) =>
    l10n.t('The name {0} contains a line break or another control character.', path),
  duplicate: (l10n, path) =>
    l10n.t('The archive contains {0} twice. Machines would only get the last one.', path),
  tooManyEntries: (l10n) =>
    l10n.t(
      "The build has more than 100,000 files and folders. Exclude files that machines don't need.",
    ),
  tooManyBytes: (l10n) =>
    l10n.t("The build is larger than 64 GiB. Exclude files that machines don't need."),
  specialFile: (l10n, path) =>
    l10n.t("{0} is a device, a pipe, or a socket, which can't be uploaded.", path),
  noEntries: (l10n) => l10n.t('The build is empty.'),
  unreadable: (l10n, path) => l10n.t('You don\'t have permission to read "{0}".', path),
  notAnArchive: (l10n, path) => l10n.t('{0} is not a .tar.gz archive.', path),
  zipArchive: (l10n, path) =>
    l10n.t('{0} is a ZIP archive. Pack the build as a .tar.gz archive.', path),
  plainTar: (l10n, path) =>
    l10n.t('{0} is a tar archive without compression. Compress it with gzip.', path),
  damaged: (l10n, path) => l10n.t('{0} is damaged or incomplete. Build it again.', path),
};

const WORDS: Readonly<Record<FindingCode, FormatMessage>> = { ...FIELD_WORDS, ...BUILD_WORDS };

/**
 * Formats an error or warning for users, with a recommended action. Inserts texts from manifests
 * and builds on one line.
 */
export function formatFinding(
  { code, args }: Pick<ManifestFinding, 'code' | 'args'>,
  l10n: Localizer,
): string {
  const [first = '', second = '', third = ''] = args.map((arg) => toDisplayText(arg));
  return WORDS[code](l10n, first, second, third);
}

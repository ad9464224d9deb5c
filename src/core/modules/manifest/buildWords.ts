import type { Say } from './say';
import type { BuildCode } from './manifestFinding';

/** What is wrong with the folder of a manifest, or with what was built. */
export const BUILD_WORDS: Readonly<Record<BuildCode, Say>> = {
  notBuilt: (l10n, field, path) =>
    l10n.t('{0}: {1} is not there. The build has not made it yet.', field, path),
  buildOutside: (l10n, field, path) =>
    l10n.t('{0}: {1} leads out of the folder of the manifest, through a link.', field, path),
  fileMissing: (l10n, field, path, build) =>
    build === ''
      ? l10n.t('{0}: there is no file {1}.', field, path)
      : l10n.t('{0}: there is no file {1} in {2}.', field, path, build),
  descriptionMissing: (l10n, _field, path) =>
    l10n.t(
      '{0} is not in the folder of the manifest. Create the file, or correct "markdown_link".',
      path,
    ),
  descriptionTooLong: (l10n, _field, path) =>
    l10n.t('{0} is longer than 1 MB. The registry does not accept longer descriptions.', path),
  headingMissing: (l10n, _field, path, heading) =>
    l10n.t('{0} has no heading "{1}", which the manifest links to.', path, heading),
  fileIsFolder: (l10n, field, path) => l10n.t('{0}: {1} is a folder, not a file.', field, path),
  fileNotFile: (l10n, field, path) =>
    l10n.t('{0}: {1} is not a file, or is a broken symbolic link.', field, path),
  fileOutside: (l10n, field, path) =>
    l10n.t('{0}: {1} leads out of the module. Machines would not have it.', field, path),
  fileNotExecutable: (l10n, field, path) =>
    l10n.t('{0}: {1} is not executable, so machines cannot start it.', field, path),
  scriptInterpreter: (l10n, path) =>
    l10n.t(
      '{0}: the first line does not say by its whole path which program runs the script, such as #!/bin/sh.',
      path,
    ),
  scriptLineEnds: (l10n, path) =>
    l10n.t(
      '{0}: the file has Windows (CRLF) line endings. Machines look for an interpreter name that ends in CR and fail.',
      path,
    ),
  programPlatform: (l10n, path, found, wanted) =>
    l10n.t('{0} is a program for {1}. It does not run on {2}.', path, found, wanted),
  programForeign: (l10n, path, format) =>
    l10n.t('{0} is a program ({1}) for no platform that modules are published for.', path, format),
  programUnknown: (l10n, path) =>
    l10n.t(
      '{0} is neither a program nor a script with a first line such as #!/bin/sh. Machines cannot start it.',
      path,
    ),
  commandMissing: (l10n, field, path) =>
    l10n.t('{0}: there is no script {1} beside the manifest.', field, path),
  commandNotExecutable: (l10n, field, path) =>
    l10n.t('{0}: {1} is not executable, so the build fails.', field, path),
  linkOutside: (l10n, path, target) =>
    l10n.t(
      'The link {0} leads out of the build, to {1}. Machines would not have it.',
      path,
      target,
    ),
  linkLoop: (l10n, path, target) =>
    l10n.t('The link {0} leads to {1}, and from there back to itself.', path, target),
  absolutePath: (l10n, path) => l10n.t('The archive contains an absolute path: {0}.', path),
  parentPath: (l10n, path) =>
    l10n.t('The archive has {0}, which leads out of the folder that it is unpacked to.', path),
  longPath: (l10n, path) =>
    l10n.t('The path {0}, or where it leads, is too long for machines.', path),
  controlCharacters: (l10n, path) =>
    l10n.t('The name {0} has a line end or another control character.', path),
  duplicate: (l10n, path) =>
    l10n.t('The archive has {0} twice. Only the last one would be there on machines.', path),
  tooManyEntries: (l10n) =>
    l10n.t(
      'The build has more than 100,000 files and folders. Leave out what machines do not need.',
    ),
  tooManyBytes: (l10n) =>
    l10n.t('The build is larger than 64 GiB. Leave out what machines do not need.'),
  specialFile: (l10n, path) =>
    l10n.t('{0} is a device, a pipe or a socket, which cannot be sent.', path),
  noEntries: (l10n) => l10n.t('The build is empty.'),
  unreadable: (l10n, path) => l10n.t('{0} may not be read.', path),
  notAnArchive: (l10n, path) => l10n.t('{0} is no .tar.gz archive.', path),
  zipArchive: (l10n, path) =>
    l10n.t('{0} is a ZIP archive. Pack the build as a .tar.gz archive.', path),
  plainTar: (l10n, path) =>
    l10n.t('{0} is a tar archive without compression. Compress it with gzip.', path),
  damaged: (l10n, path) => l10n.t('{0} is damaged, or cut off. Build it again.', path),
};

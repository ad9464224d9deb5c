import { toDisplayText } from '../../model/displayText';
import type { Localizer } from '../../../base/localizer';
import type {
  BuildCode,
  FieldCode,
  DiagnosticCode,
  ManifestDiagnostic,
  ManifestFix,
  PathCode,
  RegistryCode,
  SyntaxCode,
} from './manifestDiagnostic';
import { formatJsonSyntaxError } from '../../documents/formatJsonProblem';

/** Formats one type of message. Arguments that the message doesn't use are empty. */
type FormatMessage = (l10n: Localizer, first: string, second: string, third: string) => string;

/** Messages for problems with a manifest's text. */
const FIELD_WORDS: Readonly<
  Record<SyntaxCode | FieldCode | PathCode | RegistryCode, FormatMessage>
> = {
  notJson: formatJsonSyntaxError,
  byteOrderMark: (l10n) =>
    l10n.t(
      'The file begins with a byte order mark (U+FEFF), which is not valid JSON. Save it as UTF-8 without one.',
    ),
  comment: (l10n) =>
    l10n.t(
      "Module manifests can't contain comments because the programs that read them accept only strict JSON.",
    ),
  trailingComma: (l10n) => l10n.t("Trailing comma. JSON doesn't allow one here."),
  duplicateKey: (l10n, key) =>
    l10n.t('{0} appears twice, and different programs might read different values.', key),
  notAnObject: (l10n) => l10n.t('A module manifest must be an object: { … }.'),
  tooLarge: (l10n) => l10n.t("The module manifest is too large, so it isn't checked."),
  tooDeep: (l10n) => l10n.t("The module manifest is nested too deeply, so it isn't checked."),
  wrongType: (l10n, field, expected) => {
    switch (expected) {
      case 'list':
        return l10n.t('{0} must be a list: [ … ].', field);
      case 'object':
        return l10n.t('{0} must be an object: { … }.', field);
      default:
        return l10n.t('{0} must be text in quotes.', field);
    }
  },
  unknownField: (l10n, field, nearest) =>
    l10n.t('{0} has no effect here. Did you mean {1}?', field, nearest),
  unreadField: (l10n, field, nearest) =>
    l10n.t('{0} has no effect because {1} is also present. Remove one of them.', field, nearest),
  moduleIdMissing: (l10n) =>
    l10n.t('The module has no ID yet. Create it in the registry to get one, such as acme:weather.'),
  moduleIdForm: (l10n, id) =>
    l10n.t(
      '"{0}" is not a valid module ID. Use <namespace or organization ID>:<name>, for example acme:weather.',
      id,
    ),
  visibilityUnknown: (l10n, word) =>
    l10n.t('"{0}" is not a valid visibility. Use private, public, or public_unlisted.', word),
  urlForm: (l10n, url) =>
    l10n.t('"{0}" is not a valid URL. Use one that starts with https:// or http://.', url),
  modelApiForm: (l10n, api) =>
    l10n.t(
      '"{0}" is not a valid API. Use <namespace>:<type>:<subtype>, for example rdk:component:sensor.',
      api,
    ),
  modelApiUnknown: (l10n, api, nearest) =>
    l10n.t('The machine software has no API {0}. Did you mean {1}?', api, nearest),
  modelForm: (l10n, model) =>
    l10n.t(
      '"{0}" is not a valid model. Use <namespace>:<family>:<model>, for example acme:weather:station.',
      model,
    ),
  modelRepeated: (l10n, model) => l10n.t('{0} is already in the list, with the same API.', model),
  modelOfOthers: (l10n, namespace, own) =>
    l10n.t(
      'The model is in the namespace {0}, but the module is in {1}. A public module can only have models from its own namespace.',
      namespace,
      own,
    ),
  modelRemoved: (l10n, model, machines) =>
    `${l10n.t("The registry lists the model {0}, but this manifest doesn't.", model)} ${formatModelUse(l10n, machines)}`,
  modelRenamed: (l10n, model, machines) =>
    `${l10n.t('This model is called {0} in the registry.', model)} ${formatModelUse(l10n, machines)}`,
  platformUnknown: (l10n, platform) =>
    l10n.t(
      '"{0}" is not a valid platform. Use <os>/<arch>, for example linux/arm64, or "any".',
      platform,
    ),
  platformRepeated: (l10n, platform) => l10n.t('{0} is already in the list.', platform),
  platformUnlisted: (l10n, platform, listed) =>
    l10n.t(
      'The manifest doesn\'t list the platform {0}. Add it to "build.arch", which lists {1}.',
      platform,
      listed,
    ),
  appName: (l10n, name) =>
    l10n.t(
      '"{0}" is not a valid application name. Use letters, digits, dashes, and underscores.',
      name,
    ),
  appNameRepeated: (l10n, name) => l10n.t('Another application is also called {0}.', name),
  appType: (l10n, type) =>
    l10n.t('"{0}" is not a valid application type. Use single_machine or multi_machine.', type),
  entrypointMissing: (l10n) => l10n.t('Add "entrypoint", the program that starts the module.'),
  pathAbsolute: (l10n, field, path) =>
    l10n.t('{0}: {1} is an absolute path. Use a path relative to the module.', field, path),
  pathParent: (l10n, field, path) =>
    l10n.t('{0}: {1} is outside the module. Only files in the module are uploaded.', field, path),
  pathCharacters: (l10n, field) =>
    l10n.t('{0}: the path contains a line break or another control character.', field),
  pathTooLong: (l10n, field) => l10n.t('{0}: the path is too long for machines.', field),
  pathBackslash: (l10n, field, path) =>
    l10n.t('{0}: machines treat \\ in {1} as part of the name. Use / instead.', field, path),
  pathCommandLine: (l10n, field, path) =>
    l10n.t(
      "{0}: machines start a file whose name is exactly {1}. No shell interprets it, and it can't have arguments.",
      field,
      path,
    ),
};

/** Messages for problems with a manifest's folder or with the build output. */
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
    l10n.t('The manifest links to the heading "{1}", but {0} doesn\'t contain it.', path, heading),
  fileIsFolder: (l10n, field, path) => l10n.t('{0}: {1} is a folder, not a file.', field, path),
  fileNotFile: (l10n, field, path) =>
    l10n.t('{0}: {1} is not a file, or is a broken symbolic link.', field, path),
  fileOutside: (l10n, field, path) =>
    l10n.t(
      "{0}: {1} is outside the module, so the file won't be available on machines.",
      field,
      path,
    ),
  fileNotExecutable: (l10n, field, path) =>
    l10n.t("{0}: {1} is not executable, so machines can't start it.", field, path),
  scriptInterpreter: (l10n, path) =>
    l10n.t(
      "{0}: the first line doesn't specify the full path of the program that runs the script, such as #!/bin/sh.",
      path,
    ),
  scriptLineEnds: (l10n, path) =>
    l10n.t(
      "{0}: the file has Windows (CRLF) line endings, so machines can't find its interpreter. Convert the file to LF.",
      path,
    ),
  programPlatform: (l10n, path, found, expected) =>
    l10n.t("{0} is a program for {1}. It doesn't run on {2}.", path, found, expected),
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

/** Formats the effect of a model that the next version of a module no longer has. */
function formatModelUse(l10n: Localizer, machines: string): string {
  switch (machines) {
    case '0':
      return l10n.t("Resources with this model don't start with the next version of the module.");
    case '1':
      return l10n.t(
        "1 machine uses the module. Its resources with this model don't start with the next version.",
      );
    default:
      return l10n.t(
        "{0} machines use the module. Their resources with this model don't start with the next version.",
        machines,
      );
  }
}

const WORDS: Readonly<Record<DiagnosticCode, FormatMessage>> = { ...FIELD_WORDS, ...BUILD_WORDS };

/**
 * Formats an error or warning for users, with a recommended action. Converts inserted text from
 * manifests and builds to one line.
 */
export function formatManifestDiagnostic(
  { code, args }: Pick<ManifestDiagnostic, 'code' | 'args'>,
  l10n: Localizer,
): string {
  const [first = '', second = '', third = ''] = args.map((arg) => toDisplayText(arg));
  return WORDS[code](l10n, first, second, third);
}

/** Formats a fix for users. */
export function formatFix(fix: ManifestFix, l10n: Localizer): string {
  switch (fix.kind) {
    case 'setValue':
      return l10n.t('Set to {0}', toDisplayText(JSON.stringify(fix.value)));
    case 'renameField':
      return l10n.t('Rename to {0}', toDisplayText(fix.name));
    case 'removeValue':
      return l10n.t('Remove This Entry');
    case 'makeExecutable':
      return l10n.t('Make {0} Executable', toDisplayText(fix.file));
    case 'createScript':
      return l10n.t('Create {0}', toDisplayText(fix.file));
    case 'build':
      return l10n.t('Build Module');
    case 'create':
      return l10n.t('Create Module in Registry');
  }
}

/** Diagnostic as a JSON object. */
export interface ReportedDiagnostic {
  readonly severity: ManifestDiagnostic['severity'];
  readonly code: string;
  /** Path in the manifest, such as `models.0.api`; empty for the whole manifest. */
  readonly field: string;
  readonly message: string;
}

export function toReportedDiagnostic(
  diagnostic: ManifestDiagnostic,
  l10n: Localizer,
): ReportedDiagnostic {
  const { severity, code, path } = diagnostic;
  const field = path.join('.');
  const message = formatManifestDiagnostic(diagnostic, l10n);
  // Messages include the name of the field, because they can be displayed without their position.
  const last = path.findLast((step) => typeof step === 'string') ?? '';
  const repeated = [`${field}: `, `${last}: `].find((named) => message.startsWith(named)) ?? '';
  return {
    severity,
    code,
    field,
    message: field === '' ? message : message.slice(repeated.length),
  };
}

/** Formats a diagnostic as one line of text. */
export function formatDiagnosticLine({ severity, field, message }: ReportedDiagnostic): string {
  return field === '' ? `${severity}: ${message}` : `${severity}: ${field}: ${message}`;
}

import { formatJsonSyntaxError } from '../../documents/formatJsonSyntaxError';
import type { Localizer } from '../../../base/localizer';
import type { FieldCode, PathCode, SyntaxCode } from './manifestFinding';

/** Formats one type of message. Arguments that the message doesn't use are empty. */
export type FormatMessage = (
  l10n: Localizer,
  first: string,
  second: string,
  third: string,
) => string;

/** Messages for problems with the text of a manifest. */
export const FIELD_WORDS: Readonly<Record<SyntaxCode | FieldCode | PathCode, FormatMessage>> = {
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

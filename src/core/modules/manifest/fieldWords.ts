import { formatJsonSyntaxError } from '../../documents/formatJsonSyntaxError';
import type { Say } from './say';
import type { FieldCode, PathCode, SyntaxCode } from './manifestFinding';

/** What is wrong with the text of a manifest. */
export const FIELD_WORDS: Readonly<Record<SyntaxCode | FieldCode | PathCode, Say>> = {
  notJson: formatJsonSyntaxError,
  byteOrderMark: (l10n) =>
    l10n.t(
      'The file begins with a byte order mark (U+FEFF), which is not valid JSON. Save it as UTF-8 without one.',
    ),
  comment: (l10n) =>
    l10n.t('Module manifests have no comments: programs that read them take strict JSON only.'),
  trailingComma: (l10n) => l10n.t("Trailing comma. JSON doesn't allow one here."),
  duplicateKey: (l10n, key) =>
    l10n.t('{0} is said twice. Programs take one of them; which one differs.', key),
  notAnObject: (l10n) => l10n.t('A module manifest is an object: { … }.'),
  tooLarge: (l10n) => l10n.t('This is too large for a module manifest. Nothing of it is checked.'),
  tooDeep: (l10n) =>
    l10n.t('This is nested too deep for a module manifest. Nothing of it is checked.'),
  wrongType: (l10n, field, expected) => {
    switch (expected) {
      case 'list':
        return l10n.t('{0} takes a list: [ … ].', field);
      case 'object':
        return l10n.t('{0} takes an object: { … }.', field);
      default:
        return l10n.t('{0} takes a text in quotes.', field);
    }
  },
  unknownField: (l10n, field, nearest) =>
    l10n.t('Nothing reads {0} here. Is {1} meant?', field, nearest),
  unreadField: (l10n, field, nearest) =>
    l10n.t(
      'Nothing reads {0} here, only {1}, which is also there. Remove one of them.',
      field,
      nearest,
    ),
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
    l10n.t('Machine software has no API {0}. Is {1} meant?', api, nearest),
  modelForm: (l10n, model) =>
    l10n.t(
      '"{0}" is not a valid model. Use <namespace>:<family>:<model>, for example acme:weather:station.',
      model,
    ),
  modelRepeated: (l10n, model) => l10n.t('{0} is in the list already, with the same API.', model),
  modelOfOthers: (l10n, namespace, own) =>
    l10n.t(
      'The model is in the namespace {0}, the module in {1}. A public module has models of its own namespace only.',
      namespace,
      own,
    ),
  platformUnknown: (l10n, platform) =>
    l10n.t(
      '"{0}" is not a valid platform. Use <os>/<arch>, for example linux/arm64, or "any".',
      platform,
    ),
  platformRepeated: (l10n, platform) => l10n.t('{0} is in the list already.', platform),
  platformUnlisted: (l10n, platform, listed) =>
    l10n.t(
      'The manifest does not list the platform {0}. Add it to "build.arch", which lists {1}.',
      platform,
      listed,
    ),
  appName: (l10n, name) =>
    l10n.t(
      '"{0}" cannot be the name of an application: letters, digits, dashes and underscores can.',
      name,
    ),
  appNameRepeated: (l10n, name) => l10n.t('Another application is called {0} too.', name),
  appType: (l10n, type) =>
    l10n.t('"{0}" is not a valid application type. Use single_machine or multi_machine.', type),
  entrypointMissing: (l10n) =>
    l10n.t('Name the file of the build that starts the module: entrypoint.'),
  pathAbsolute: (l10n, field, path) =>
    l10n.t('{0}: {1} is an absolute path. Use a path relative to the module.', field, path),
  pathParent: (l10n, field, path) =>
    l10n.t('{0}: {1} leads out of the module. Only what is in it is sent.', field, path),
  pathCharacters: (l10n, field) =>
    l10n.t('{0}: the path has a line end or another control character.', field),
  pathTooLong: (l10n, field) => l10n.t('{0}: the path is too long for machines.', field),
  pathBackslash: (l10n, field, path) =>
    l10n.t('{0}: machines take \\ in {1} for a part of the name. Write /.', field, path),
  pathCommandLine: (l10n, field, path) =>
    l10n.t(
      '{0}: machines start the file that is called exactly {1}. No shell reads it, and it takes no arguments.',
      field,
      path,
    ),
};

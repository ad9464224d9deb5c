import * as vscode from 'vscode';
import type { RegistryItemType } from '../../../../core/model/registryItem';
import type { RegistryItemStrings } from '../../../../shared/registryItem';
import { getRecoveryLabels } from '../../../platform/webview/recoveryActions';

/** Returns the localized strings of a registry item's page. */
export function itemStrings(type: RegistryItemType = 'module'): RegistryItemStrings {
  return {
    loading: vscode.l10n.t('Loading the registry item…'),
    failed: vscode.l10n.t("Couldn't read the registry item."),
    loadedAt: vscode.l10n.t('As of {0}'),
    loadedAtHint: vscode.l10n.t('Loaded on {0}. The item might have changed since then.'),
    ...getRecoveryLabels(),
    actions: {
      label: vscode.l10n.t('Actions'),
      deploy:
        type === 'mlModel' ? vscode.l10n.t('Use on Machine…') : vscode.l10n.t('Deploy to Machine…'),
      copyId: vscode.l10n.t('Copy ID'),
      idCopied: vscode.l10n.t('Copied the ID.'),
      openUrl: vscode.l10n.t('Open Website'),
      openUrlHint: vscode.l10n.t('Open {0}'),
      refresh: vscode.l10n.t('Refresh'),
    },
    deprecated: vscode.l10n.t('Deprecated by its owner: {0}'),
    deprecatedBadge: vscode.l10n.t('deprecated'),
    contents: vscode.l10n.t('On this page'),
    facts: vscode.l10n.t('Details'),
    description: {
      heading: vscode.l10n.t('Description'),
      none: vscode.l10n.t("Its owner hasn't added a description."),
    },
    models: {
      heading: vscode.l10n.t('Models'),
      none: vscode.l10n.t("This item doesn't list any models."),
      api: vscode.l10n.t('API: {0}'),
      noText: vscode.l10n.t('This model has no documentation.'),
    },
    versions: versionStrings(type),
    figures: {
      heading: vscode.l10n.t('Metrics'),
      loading: vscode.l10n.t('Loading metrics…'),
      version: vscode.l10n.t('Version'),
      newest: vscode.l10n.t('The latest version is {0}.'),
      showNewest: vscode.l10n.t('Show Newest'),
      none: vscode.l10n.t('This version has no metrics.'),
      failed: vscode.l10n.t("Couldn't load the metrics. {0}"),
      files: vscode.l10n.t('Files'),
      noFiles: vscode.l10n.t("The service doesn't list the files."),
    },
    markdown: {
      image: vscode.l10n.t('Image: {0}'),
      imageWithoutText: vscode.l10n.t('Image'),
      done: vscode.l10n.t('done'),
      notDone: vscode.l10n.t('not done'),
      isCut: vscode.l10n.t('Only the beginning of this text is shown.'),
      isPlain: vscode.l10n.t("This text can't be formatted, so it is shown as plain text."),
      openText: vscode.l10n.t('Open Full Text'),
    },
  };
}

function versionStrings(type: RegistryItemType): RegistryItemStrings['versions'] {
  return {
    heading: vscode.l10n.t('Versions'),
    none: vscode.l10n.t('No versions have been uploaded yet.'),
    upload: vscode.l10n.t('Upload Version…'),
    version: vscode.l10n.t('Version'),
    created: vscode.l10n.t('Created'),
    platform: vscode.l10n.t('Platform'),
    size: vscode.l10n.t('Size'),
    actions: vscode.l10n.t('Actions'),
    anyPlatform: vscode.l10n.t('any'),
    unknownValue: vscode.l10n.t('unknown'),
    noFile: vscode.l10n.t("The service doesn't list the archives of this version."),
    download: vscode.l10n.t('Download…'),
    downloadHint: vscode.l10n.t('Download version {0}'),
    deploy: type === 'mlModel' ? vscode.l10n.t('Use…') : vscode.l10n.t('Deploy…'),
    deployHint:
      type === 'mlModel'
        ? vscode.l10n.t('Use version {0} on a machine')
        : vscode.l10n.t('Deploy version {0} to a machine'),
    more: vscode.l10n.t('Show {0} More'),
    filesFailed: vscode.l10n.t("Couldn't read the archive sizes. {0}"),
  };
}

import type { RecoveryActionLabels } from './recoveryAction';

/** Strings for showing third-party Markdown. */
export interface MarkdownStrings {
  /** `{0}` is the image's description and its server. */
  readonly image: string;
  readonly imageWithoutText: string;
  readonly done: string;
  readonly notDone: string;
  readonly isCut: string;
  /** Reason why a description is shown as Markdown source. */
  readonly isPlain: string;
  readonly openText: string;
}

/** All strings of a registry item's page; the host translates them. */
export interface RegistryItemStrings extends RecoveryActionLabels {
  readonly loading: string;
  readonly failed: string;
  /** `{0}` is the time when the item was loaded. Shown if the item might be outdated. */
  readonly loadedAt: string;
  readonly loadedAtHint: string;
  readonly actions: {
    readonly label: string;
    readonly deploy: string;
    readonly copyId: string;
    readonly idCopied: string;
    readonly openUrl: string;
    readonly openUrlHint: string;
    readonly refresh: string;
  };
  /** `{0}` is the owner's message. */
  readonly deprecated: string;
  readonly deprecatedBadge: string;
  readonly contents: string;
  readonly facts: string;
  readonly description: { readonly heading: string; readonly none: string };
  readonly models: {
    readonly heading: string;
    readonly none: string;
    readonly api: string;
    readonly noText: string;
  };
  readonly versions: {
    readonly heading: string;
    readonly none: string;
    readonly upload: string;
    readonly version: string;
    readonly created: string;
    readonly platform: string;
    readonly size: string;
    readonly actions: string;
    readonly anyPlatform: string;
    readonly unknownValue: string;
    readonly noFile: string;
    readonly download: string;
    /** `{0}` is the version. */
    readonly downloadHint: string;
    readonly deploy: string;
    readonly deployHint: string;
    /** `{0}` is the number of additional entries. */
    readonly more: string;
    readonly filesFailed: string;
  };
  readonly figures: {
    readonly heading: string;
    readonly loading: string;
    readonly version: string;
    /** Placeholder: the newest version. */
    readonly newest: string;
    readonly showNewest: string;
    readonly none: string;
    readonly failed: string;
    readonly files: string;
    readonly noFiles: string;
  };
  readonly markdown: MarkdownStrings;
}

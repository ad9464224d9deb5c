import type { WayOutWords } from './wayOut';

/** How Markdown of other people is shown. */
export interface MarkdownStrings {
  /** `{0}` is what the image shows, and the server that has it. */
  readonly image: string;
  readonly imageWithoutText: string;
  readonly done: string;
  readonly notDone: string;
  readonly isCut: string;
  /** Why a text is shown as it was written. */
  readonly isPlain: string;
  readonly openText: string;
}

/** Everything the page of a registry item says; the host translates it. */
export interface RegistryItemStrings extends WayOutWords {
  readonly loading: string;
  readonly failed: string;
  /** `{0}` is the time when an item was read that may have changed since. */
  readonly asOf: string;
  readonly asOfHint: string;
  readonly actions: {
    readonly label: string;
    readonly deploy: string;
    readonly copyId: string;
    readonly idCopied: string;
    readonly openUrl: string;
    readonly openUrlHint: string;
    readonly refresh: string;
  };
  /** `{0}` is what the owner says. */
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
    readonly version: string;
    readonly created: string;
    readonly platform: string;
    readonly size: string;
    readonly actions: string;
    readonly anyPlatform: string;
    readonly notTold: string;
    readonly noFile: string;
    readonly download: string;
    /** `{0}` is the version. */
    readonly downloadHint: string;
    readonly deploy: string;
    readonly deployHint: string;
    /** `{0}` is how many more. */
    readonly more: string;
    readonly filesFailed: string;
  };
  readonly figures: {
    readonly heading: string;
    readonly loading: string;
    readonly version: string;
    /** With the newest version. */
    readonly newest: string;
    readonly showNewest: string;
    readonly none: string;
    readonly failed: string;
    readonly files: string;
    readonly noFiles: string;
  };
  readonly markdown: MarkdownStrings;
}

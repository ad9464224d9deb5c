import * as vscode from 'vscode';
import type { ItemStrings } from '../../../../shared/data/itemStrings';

export function itemStrings(): ItemStrings {
  return {
    loading: vscode.l10n.t('Loading…'),
    reading: vscode.l10n.t('Loading {0} of {1}…'),
    failed: vscode.l10n.t("Couldn't load the items: {0}"),
    empty: vscode.l10n.t('No items match the filter.'),
    nothingYet: vscode.l10n.t('Nothing has been captured here yet.'),
    lists: {
      images: vscode.l10n.t('Images'),
      pointClouds: vscode.l10n.t('Point Clouds'),
      files: vscode.l10n.t('Files'),
    },
    columns: {
      name: vscode.l10n.t('Name'),
      time: vscode.l10n.t('Time'),
      origin: vscode.l10n.t('Captured By'),
      size: vscode.l10n.t('Size'),
      tags: vscode.l10n.t('Tags'),
      datasets: vscode.l10n.t('Datasets'),
    },
    tools: {
      label: vscode.l10n.t('Layout of the items'),
      size: vscode.l10n.t('Thumbnail size'),
      sizes: {
        small: vscode.l10n.t('Small'),
        medium: vscode.l10n.t('Medium'),
        large: vscode.l10n.t('Large'),
      },
      boxes: vscode.l10n.t('Boxes'),
      boxesHint: vscode.l10n.t('Show boxes on image thumbnails'),
      selectAll: vscode.l10n.t('Select All'),
    },
    tile: {
      waiting: vscode.l10n.t('Loading…'),
      large: vscode.l10n.t('Large image · open to view it'),
      broken: vscode.l10n.t('Preview not available'),
      truncated: vscode.l10n.t('Truncated'),
      gone: vscode.l10n.t('Deleted'),
      damaged: vscode.l10n.t('Damaged · open for details'),
      failed: vscode.l10n.t("Couldn't load · open for details"),
      oneTag: vscode.l10n.t('1 tag'),
      tags: vscode.l10n.t('{0} tags'),
      oneBox: vscode.l10n.t('1 box'),
      boxes: vscode.l10n.t('{0} boxes'),
    },
    detail: detailStrings(),
  };
}

function detailStrings(): ItemStrings['detail'] {
  return {
    tools: vscode.l10n.t('Item'),
    back: vscode.l10n.t('Back'),
    backHint: vscode.l10n.t('Back to the list (Escape)'),
    previous: vscode.l10n.t('Previous'),
    previousHint: vscode.l10n.t('Show the previous item (Page Up)'),
    next: vscode.l10n.t('Next'),
    nextHint: vscode.l10n.t('Show the next item (Page Down)'),
    position: vscode.l10n.t('{0} of {1}'),
    openDocument: vscode.l10n.t('Open as Document'),
    openDocumentHint: vscode.l10n.t('Show the content in a VS Code editor'),
    download: vscode.l10n.t('Download…'),
    downloadHint: vscode.l10n.t('Save to a folder'),
    copyId: vscode.l10n.t('Copy ID'),
    copyIdHint: vscode.l10n.t('Copy the ID of the item'),
    id: vscode.l10n.t('Binary Data ID'),
    facts: vscode.l10n.t('Details'),
    factsHint: vscode.l10n.t('Show or hide details'),
    copy: vscode.l10n.t('Copy'),
    copyDetail: vscode.l10n.t('Copy {0}'),
    copied: vscode.l10n.t('Copied: {0}'),
    wait: vscode.l10n.t('Loading the content…'),
    reading: vscode.l10n.t('Loaded {0} of {1}'),
    cancel: vscode.l10n.t('Cancel'),
    canceled: vscode.l10n.t('Loading was canceled.'),
    retry: vscode.l10n.t('Retry'),
    damaged: vscode.l10n.t(
      "This item's content is damaged on the fleet service's disk. Restore it from a backup, upload the same file again, or delete the item. For details, see the service log.",
    ),
    tooLarge: vscode.l10n.t(
      "The content is {0}. Content larger than {1} can't be shown here. Download it instead.",
    ),
    emptyFile: vscode.l10n.t('The file is empty.'),
    noText: vscode.l10n.t('The file is not a text file. Open it as a document, or download it.'),
    textLabel: vscode.l10n.t('Text of {0}'),
  };
}

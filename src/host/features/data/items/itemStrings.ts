import * as vscode from 'vscode';
import type { ItemStrings } from '../../../../shared/data/items';
import type { CloudStrings } from '../../../../shared/data/cloudStrings';

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

/** Returns the localized strings of the point cloud view. The webview fills in the placeholders. */
export function cloudStrings(): CloudStrings {
  return {
    view: vscode.l10n.t('Point cloud {0}'),
    viewRole: vscode.l10n.t('3D view'),
    loading: vscode.l10n.t('Loading the point cloud…'),
    reading: vscode.l10n.t('Loading the point cloud… {0}'),
    shown: vscode.l10n.t('{0} points'),
    someShown: vscode.l10n.t('Showing {0} of {1} evenly sampled points'),
    partShown: vscode.l10n.t('{0} of {1} points'),
    toolbar: vscode.l10n.t('Point cloud view'),
    colorBy: vscode.l10n.t('Color by'),
    colorings: {
      height: vscode.l10n.t('Height'),
      intensity: vscode.l10n.t('Intensity'),
      rgb: vscode.l10n.t('RGB'),
    },
    views: {
      label: vscode.l10n.t('View from'),
      whole: vscode.l10n.t('Reset View'),
      top: vscode.l10n.t('Top'),
      front: vscode.l10n.t('Front'),
      side: vscode.l10n.t('Side'),
    },
    pointSize: vscode.l10n.t('Point size'),
    pixels: vscode.l10n.t('{0} px'),
    grid: vscode.l10n.t('Grid and Axes'),
    gridStep: vscode.l10n.t('Grid lines every {0} m'),
    meters: vscode.l10n.t('{0} m'),
    scale: vscode.l10n.t('{0}: {1} to {2}'),
    wholeScale: vscode.l10n.t('(all values: {0} to {1})'),
    facts: {
      label: vscode.l10n.t('About the point cloud'),
      points: vscode.l10n.t('Points'),
      size: vscode.l10n.t('Size'),
      sizeValue: vscode.l10n.t('{0} × {1} × {2} m'),
      extent: vscode.l10n.t('Extent'),
      extentValue: vscode.l10n.t('{0} from {1} to {2} m'),
      fields: vscode.l10n.t('Fields'),
      encoding: vscode.l10n.t('Encoding'),
      withoutPosition: vscode.l10n.t('Points without a position'),
    },
    help: {
      open: vscode.l10n.t('3D view shortcuts'),
      label: vscode.l10n.t('3D view shortcuts'),
      keys: vscode.l10n.t('Keys'),
      does: vscode.l10n.t('Action'),
      orbit: vscode.l10n.t('Rotate the view'),
      pan: vscode.l10n.t('Move the view'),
      zoom: vscode.l10n.t('Zoom in or out'),
      views: vscode.l10n.t('Reset the view, or look from the top, front, or side'),
      coloring: vscode.l10n.t('Change the coloring'),
      pointSize: vscode.l10n.t('Smaller or larger points'),
      grid: vscode.l10n.t('Show or hide the grid and the axes'),
      help: vscode.l10n.t('Show or hide this table'),
      mouse: vscode.l10n.t('Mouse'),
      mouseDoes: vscode.l10n.t(
        'Drag to rotate, drag with the right button to move, scroll to zoom',
      ),
    },
    noWebGl: vscode.l10n.t(
      "This computer can't render 3D graphics (WebGL is not available), so the point cloud is only described as text.",
    ),
    lost: vscode.l10n.t('The point cloud view was lost because the graphics processor was reset.'),
    retry: vscode.l10n.t('Redraw'),
    noScript: vscode.l10n.t(
      "The point cloud viewer couldn't be loaded from the extension. Open the item again.",
    ),
    failed: vscode.l10n.t("Couldn't show the point cloud: {0}"),
    noPoints: vscode.l10n.t('The file has no points with a position.'),
    partly: vscode.l10n.t('Only part of the point cloud is shown. {0}'),
    problems: {
      notPcd: vscode.l10n.t('This is not a PCD file: there is no PCD header at its start.'),
      missingLine: vscode.l10n.t('The file header has no {0} line.'),
      badLine: vscode.l10n.t('The {0} line in the file header is not valid in a PCD file.'),
      differentLengths: vscode.l10n.t(
        'The {0} line in the file header has {1} values for {2} fields.',
      ),
      pointsDisagree: vscode.l10n.t(
        'The file header specifies {0} points, but also {1} × {2} points.',
      ),
      noPositions: vscode.l10n.t(
        "The file doesn't have the fields x, y, and z, so its points have no positions.",
      ),
      unreadableField: vscode.l10n.t(
        'The field {0} in the file contains values of an unsupported type.',
      ),
      tooLarge: vscode.l10n.t(
        'The points take {0} MB when decompressed. The maximum that can be shown is {1} MB. Download the file instead.',
      ),
      sizeDisagrees: vscode.l10n.t(
        'The file declares {0} bytes of decompressed point data, but its header implies {1} bytes.',
      ),
      truncated: vscode.l10n.t('The file ends after {0} of {1} points.'),
      truncatedBytes: vscode.l10n.t(
        'The file ends after {0} of {1} bytes of its compressed points.',
      ),
      damaged: vscode.l10n.t('The compressed point data in the file is damaged.'),
      badPoint: vscode.l10n.t('Point {0} of {1} has too few values.'),
    },
  };
}

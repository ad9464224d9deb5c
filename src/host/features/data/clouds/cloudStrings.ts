import * as vscode from 'vscode';
import type { CloudStrings } from '../../../../shared/data/cloudStrings';

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
      noPlaces: vscode.l10n.t(
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

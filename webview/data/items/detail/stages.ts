import type { ItemPlacement } from '../../../../src/shared/data/items';
import { localeTag } from '../../../ui/localeTag';
import { createBoxHost } from '../../boxes/boxHost';
import { ImageStage } from '../../boxes/imageStage';
import { CloudStage } from '../../clouds/cloudStage';
import type { DataContext } from '../../dataContext';
import { FileStage } from './fileStage';
import type { ItemStage } from './itemStage';

const MEBIBYTE = 1024 * 1024;

/** The stage for items of one kind. */
export interface StageConfig {
  readonly stage: ItemStage;
  /** Maximum size, in bytes, of content that the stage shows. */
  readonly mostBytes: number;
}

export function createStage(placement: ItemPlacement, context: DataContext): StageConfig {
  const { strings, locale, announce } = context;
  switch (placement) {
    case 'images':
      return {
        stage: new ImageStage({
          ...{ strings: strings.boxes, locale, announce },
          ...{ host: createBoxHost(context), readOnly: !context.canWrite },
        }),
        mostBytes: 256 * MEBIBYTE,
      };
    case 'pointClouds':
      return {
        stage: new CloudStage({
          ...{ strings: strings.clouds, locale: localeTag(locale) },
          scriptUri: context.pointCloudScript,
        }),
        mostBytes: 256 * MEBIBYTE,
      };
    case 'files':
      return { stage: new FileStage(strings.items.detail), mostBytes: MEBIBYTE };
  }
}

import { isOneOf } from '../guards';

/** The tabs of a panel, in order. */
export const dataTabs = ['images', 'pointClouds', 'files', 'readings'] as const;
export type DataTab = (typeof dataTabs)[number];
export const isDataTab = isOneOf(...dataTabs);

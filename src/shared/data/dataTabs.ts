import { isOneOf } from '../guards';

/** Tabs of a data panel, in display order. */
export const dataTabs = ['images', 'pointClouds', 'files', 'readings'] as const;
export type DataTab = (typeof dataTabs)[number];
export const isDataTab = isOneOf(...dataTabs);

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

export const DOCUMENT_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;
export const DOCUMENT_SORTS = ['newest', 'oldest', 'name', 'largest'] as const;
/** What a document is: typed, a page, or a file of some format. */
export const DOCUMENT_TYPES = [
  'manual',
  'url',
  'pdf',
  'docx',
  'doc',
  'xlsx',
  'xls',
  'pptx',
  'ppt',
  'txt',
  'md',
  'html',
  'csv',
  'json',
] as const;

/** Which documents are listed, and how. */
export type DocumentSearch = {
  q?: string | undefined;
  status?: (typeof DOCUMENT_STATUSES)[number] | undefined;
  file?: (typeof DOCUMENT_TYPES)[number] | undefined;
  sort?: (typeof DOCUMENT_SORTS)[number] | undefined;
};

export type BaseSearch = DocumentSearch & { tab?: string };

const one = <T extends string>(name: string, value: unknown, known?: readonly T[]) =>
  typeof value === 'string' && value && (!known || (known as readonly string[]).includes(value))
    ? { [name]: value }
    : {};

export const documentSearch = (search: Record<string, unknown>): DocumentSearch => ({
  ...one('q', search.q),
  ...one('status', search.status, DOCUMENT_STATUSES),
  ...one('file', search.file, DOCUMENT_TYPES),
  ...one('sort', search.sort, DOCUMENT_SORTS),
});

const list = createRoute({
  getParentRoute: () => tenant,
  path: '/knowledge',
  component: lazyRouteComponent(() => import('../pages/knowledge/list'), 'KnowledgePage'),
});

const base = createRoute({
  getParentRoute: () => tenant,
  path: '/knowledge/$kb',
  validateSearch: (search: Record<string, unknown>): BaseSearch => ({
    ...one('tab', search.tab),
    ...documentSearch(search),
  }),
  component: lazyRouteComponent(() => import('../pages/knowledge/base'), 'KnowledgeBasePage'),
});

const document = createRoute({
  getParentRoute: () => tenant,
  path: '/knowledge/$kb/documents/$document',
  validateSearch: (search: Record<string, unknown>): { chunk?: string } => ({
    ...one('chunk', search.chunk),
  }),
  component: lazyRouteComponent(() => import('../pages/knowledge/chunks'), 'ChunksPage'),
});

export const knowledgeRoutes = [list, base, document] as const;

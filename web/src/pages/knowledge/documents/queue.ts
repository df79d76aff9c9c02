import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, told } from '../../../api/client';
import { upload } from '../../../api/upload';
import { useTexts } from '../../../i18n';
import { failed } from '../../../parts/notify';
import { type ReadingStatus, useReadingStatus } from './following';
import { isMoving } from './wanted';

/** How many files leave at the same time: a browser has few connections to a server, and two are listening. */
const AT_ONCE = 2;

/** A file on its way: it waits, leaves, is read by the server, or did not get there. */
export type Upload = {
  key: number;
  file: File;
  state: 'waiting' | 'sending' | 'reading' | 'failed';
  share: number;
  /** What the server made of it. */
  document?: string;
  /** What was told of it before it was tried again means nothing any more. */
  since?: string;
  failure?: string;
};

/** Files that are sent and followed until they were read. */
export function useUploads(tenant: string, kb: string) {
  const t = useTexts();
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [finished, setFinished] = useState(0);
  const next = useRef(0);
  const stops = useRef(new Map<number, AbortController>());
  const statuses = useReadingStatus(
    kb,
    uploads.some(({ state }) => state === 'reading'),
  );
  const change = (key: number, changed: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const leave = (key: number) => setUploads((all) => all.filter((one) => one.key !== key));
  const again = () => queries.invalidateQueries({ queryKey: [tenant, 'bases', kb] });

  const send = async ({ key, file }: Upload) => {
    const stop = new AbortController();
    stops.current.set(key, stop);
    change(key, { state: 'sending', share: 0 });
    try {
      const { documents, refused } = await upload(kb, file, (share) => change(key, { share }), stop.signal);
      // Its way is free before the next ones are looked for.
      stops.current.delete(key);
      const document = documents[0]?.document_id;
      if (document) change(key, { state: 'reading', share: 1, document });
      else change(key, { state: 'failed', failure: refused[0]?.error.message ?? t.errors.title });
      await again();
    } catch (error) {
      stops.current.delete(key);
      if (stop.signal.aborted) return;
      change(key, { state: 'failed', failure: error instanceof Error ? error.message : t.errors.broken });
    }
  };

  // Whoever goes away was asked whether they may stop.
  useEffect(() => {
    const underWay = stops.current;
    return () => {
      for (const stop of underWay.values()) stop.abort();
    };
  }, []);

  // The next ones leave when there is a way free for them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending goes by what waits alone
  useEffect(() => {
    const free = AT_ONCE - stops.current.size;
    for (const one of uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free)))
      void send(one);
  }, [uploads]);

  // What was read stands in the list of documents; what was not, says why.
  useEffect(() => {
    const ended = (one: Upload): ReadingStatus | undefined => {
      const status = one.state === 'reading' && one.document ? statuses.get(one.document) : undefined;
      const fresh = status && (!one.since || status.updated_at >= one.since);
      return fresh && !isMoving(status) ? status : undefined;
    };
    if (!uploads.some(ended)) return;
    const isRead = (one: Upload) => ended(one)?.status === 'completed';
    setFinished((before) => before + uploads.filter(isRead).length);
    // What happened to the others meanwhile stays.
    setUploads((all) =>
      all
        .filter((one) => !isRead(one))
        .map((one) => {
          const status = ended(one);
          if (!status) return one;
          return { ...one, state: 'failed', failure: status.error_message ?? t.documents.failedPlainly };
        }),
    );
  }, [uploads, statuses, t]);

  const atDocument = (id: string, act: 'cancel' | 'reprocess') =>
    told(
      api.POST(`/api/v1/knowledge-bases/{kb_id}/documents/{document_id}/${act}`, {
        params: { path: { kb_id: kb, document_id: id } },
      }),
    );
  return {
    uploads,
    finished,
    statuses,
    add: (files: readonly File[]) => {
      const more = files.map((file): Upload => {
        next.current += 1;
        return { key: next.current, file, state: 'waiting', share: 0 };
      });
      if (uploads.length === 0) setFinished(0);
      setUploads((all) => [...all, ...more]);
    },
    stop: (one: Upload) => {
      if (one.state === 'reading' && one.document) {
        atDocument(one.document, 'cancel').then(
          () => leave(one.key),
          (error) => failed(error),
        );
        return;
      }
      stops.current.get(one.key)?.abort();
      stops.current.delete(one.key);
      leave(one.key);
    },
    stopAll: () => {
      for (const stop of stops.current.values()) stop.abort();
      stops.current.clear();
      setUploads((all) => all.filter(({ state }) => state === 'reading' || state === 'failed'));
    },
    retry: (one: Upload) => {
      const { document } = one;
      if (!document) {
        setUploads((all) =>
          all.map((other) =>
            other.key === one.key ? { key: one.key, file: one.file, state: 'waiting', share: 0 } : other,
          ),
        );
        return;
      }
      atDocument(document, 'reprocess').then(
        ({ updated_at }) => change(one.key, { state: 'reading', since: updated_at }),
        (error) => failed(error),
      );
    },
    leave: (one: Upload) => leave(one.key),
  };
}

export type Uploads = ReturnType<typeof useUploads>;

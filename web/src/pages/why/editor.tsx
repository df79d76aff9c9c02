import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTexts } from '../../i18n';
import { failed } from '../../parts/notify';
import { InstructionDrawer } from '../agents/instructions/drawer';
import { branchesOf, instructionOf } from '../agents/queries';
import { ItemDrawer } from '../business/form/drawer';
import { kindOf } from '../business/kinds';
import { nameOf } from '../business/list/match';
import { choicesOf } from '../business/queries';
import { ComingEditor } from './coming';
import type { Origin } from './origins';
import { PassageEditor } from './passage';
import { BusinessSetting } from './setting';

type Props<K extends Origin['kind']> = {
  tenant: string;
  origin: Extract<Origin, { kind: K }>;
  close: () => void;
};

/** The form of what is behind an answer, on top of the answer. */
export function OriginEditor({
  tenant,
  origin,
  question,
  close,
}: {
  tenant: string;
  origin: Origin;
  question: string;
  close: () => void;
}) {
  switch (origin.kind) {
    case 'passage':
      return <PassageEditor tenant={tenant} citation={origin.citation} question={question} close={close} />;
    case 'instruction':
      return <InstructionEditor tenant={tenant} origin={origin} close={close} />;
    case 'item':
      return (
        <BusinessSetting tenant={tenant} close={close}>
          <ItemEditor tenant={tenant} origin={origin} close={close} />
        </BusinessSetting>
      );
    default:
      return null;
  }
}

function InstructionEditor({ tenant, origin, close }: Props<'instruction'>) {
  const instruction = useQuery(instructionOf(tenant, origin.id));
  const branches = useQuery(branchesOf(tenant)).data?.data ?? [];
  if (!instruction.data) return <ComingEditor asked={[instruction]} close={close} />;
  return <InstructionDrawer tenant={tenant} edited={instruction.data} branches={branches} close={close} />;
}

function ItemEditor({ tenant, origin, close }: Props<'item'>) {
  const t = useTexts();
  const kind = kindOf(origin.item);
  // Some tools tell a thing by its name alone.
  const choices = useQuery({ ...choicesOf(tenant, origin.item), enabled: !origin.id });
  const wanted = origin.name.trim().toLocaleLowerCase();
  const found = choices.data?.find((item) => nameOf(item, kind).trim().toLocaleLowerCase() === wanted);
  const id = origin.id ?? found?.id;
  const isGone = !origin.id && choices.isSuccess && !found;
  useEffect(() => {
    if (!isGone) return;
    failed(new Error(t.why.gone));
    close();
  }, [isGone, close, t]);
  if (!id) return <ComingEditor asked={[choices]} close={close} />;
  return <ItemDrawer kind={kind} id={id} close={close} show={() => {}} />;
}

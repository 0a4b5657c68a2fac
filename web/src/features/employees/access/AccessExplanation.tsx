import { Box, Paper, Stack, Title } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { access, type AccessAnswer, type Employee, type Reply } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PersonPicker } from '../../../ui/PersonPicker.tsx';
import classes from './access.module.css';
import { useReason } from './access-texts.ts';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { Part } from './Part.tsx';

type Explained = Reply<typeof access.explain>['data'];
type Chosen = { id: number; user: number | undefined };

/** "Why can X see this?": what a user may see and do with this person, through which role, or what is missing. */
export function AccessExplanation({ employee }: { employee: Employee }) {
  const t = useTranslations('access');
  const [chosen, setChosen] = useState<Chosen>();
  const name = employee.display_name;
  return (
    <Part title={t('who')}>
      <p className="muted">{t('whoLead', { name })}</p>
      <Box maw="24rem">
        <PersonPicker
          label={t('person')}
          value={chosen?.id}
          onChange={(id, person) => setChosen(id === undefined ? undefined : { id, user: person?.user?.id })}
        />
      </Box>
      {chosen &&
        (chosen.user === undefined ? (
          <p className="muted">{t('noAccount')}</p>
        ) : (
          <Answers employee={employee} user={chosen.user} />
        ))}
    </Part>
  );
}

function Answers({ employee, user }: { employee: Employee; user: number }) {
  const query = useQuery(load(access.explain, { params: { id: employee.id }, query: { user_id: user } }));
  if (query.isPending) return <LoadingLines lines={4} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <Answer explained={query.data.data} />;
}

const looks: ReadonlySet<string> = new Set(['view', 'view_work', 'view_private']);

function Answer({ explained: { employee, user, answers } }: { explained: Explained }) {
  const t = useTranslations('access');
  const sees = answers.some(({ action, allowed }) => action === 'view' && allowed);
  const parts = [
    { title: t('mayView'), rows: answers.filter(({ action }) => looks.has(action)) },
    { title: t('mayDo'), rows: answers.filter(({ action }) => !looks.has(action)) },
  ];
  return (
    <Paper p={16} bd="1px solid var(--line)" bg="var(--sunken)" radius="lg">
      <Stack gap={16}>
        <output style={{ fontWeight: 560 }}>
          {t(sees ? 'sees' : 'seesNot', { user: user.name, person: employee.name })}
        </output>
        {parts.map(({ title, rows }) => (
          <div key={title}>
            <Title order={3} className="muted" fz={12.5} fw={550} mb={4}>
              {title}
            </Title>
            <ul className={classes['answers']}>
              {rows
                .filter((one) => !lacksPermission(one))
                .map((one) => (
                  <OneAnswer key={one.action} answer={one} person={employee.name} />
                ))}
            </ul>
            <NotIncluded answers={rows.filter(lacksPermission)} person={employee.name} />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}

const lacksPermission = ({ missing }: AccessAnswer) => missing?.reason === 'permission';

/** The actions that no role of the user includes, folded if there are several. */
function NotIncluded({ answers, person }: { answers: readonly AccessAnswer[]; person: string }) {
  const t = useTranslations('access');
  if (answers.length === 0) return null;
  const list = (
    <ul className={classes['answers']}>
      {answers.map((one) => (
        <OneAnswer key={one.action} answer={one} person={person} isFolded={answers.length > 1} />
      ))}
    </ul>
  );
  if (answers.length === 1) return list;
  return (
    <details>
      <Box component="summary" fz="sm" py={4} style={{ cursor: 'pointer' }}>
        {t('notIncluded', { count: answers.length })}
      </Box>
      {list}
    </details>
  );
}

type OneProps = {
  answer: AccessAnswer;
  person: string;
  /** The list already has the reason above it. */
  isFolded?: boolean;
};

function OneAnswer({ answer, person, isFolded = false }: OneProps) {
  const t = useTranslations('access');
  const reason = useReason();
  const { action, allowed, because, missing } = answer;
  return (
    <li data-allowed={allowed || undefined}>
      {allowed ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
      <span>
        <span className="visually-hidden">{t(allowed ? 'yes' : 'no')} </span>
        {t(`action.${action}`)}
      </span>
      {!isFolded && (
        <span className="muted">
          {missing ? t(`missing.${missing.reason}`) : because.map((one) => reason(one, person)).join(' ')}
        </span>
      )}
    </li>
  );
}

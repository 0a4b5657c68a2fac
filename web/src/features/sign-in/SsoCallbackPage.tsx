import { Button } from '@mantine/core';
import { sso, type Reply } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { paths } from '../../paths.ts';
import { Message } from '../../ui/Message.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { begunSso } from '../../ui/sso-start.ts';
import { useToast } from '../../ui/toasts.tsx';
import { LanguageChoice } from './LanguageChoice.tsx';
import { safeNext } from './safe-next.ts';
import { useEnter } from './use-enter.ts';
import classes from './SignInPage.module.css';

const route = getRouteApi('/sso/callback/$id');
const SecondStep = lazyPart(() => import('./SecondStep.tsx'), 'SecondStep', 'second-step', 'sign-in', 'passkeys');

/** Sends a provider's answer to the service, and continues to the page that the user wanted. */
export function SsoCallbackPage() {
  const { answer, error, retry, secondStep } = useAnswer();
  const t = useTranslations('sso');
  return (
    <div className={`${classes['page']} ${classes['single']}`}>
      <main className={classes['main']}>
        {answer === '' ? (
          <Failed title={t('incomplete')} text={t('incompleteText')} />
        ) : secondStep ? (
          <Suspense>
            <SecondStep {...secondStep} />
          </Suspense>
        ) : error ? (
          <Refused error={error} onRetry={retry} />
        ) : (
          <Message page title={t('finishing')} />
        )}
        <LanguageChoice />
      </main>
    </div>
  );
}

/** A SAML provider sends its answer to the service, which redirects the browser here with a handoff for it. */
function bodyOf(query: string) {
  const handoff = new URLSearchParams(query).get('handoff');
  return handoff === null ? { query } : { handoff };
}

function useAnswer() {
  const { id } = route.useParams();
  const toast = useToast();
  const enter = useEnter();
  const { history } = useRouter();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const [answer] = useState(search);
  const [asksAgain, setAsksAgain] = useState(false);
  const begun = begunSso();
  const complete = useMutation<Reply<typeof sso.complete>, ApiError, string>({
    mutationFn: async (query) => {
      const reply = await call(sso.complete, { params: { id: Number(id) }, body: bodyOf(query) }, { alone: true });
      // the early request of boot.js is older than this session
      window.earlySession = undefined;
      if (reply.two_factor) {
        setAsksAgain(true);
        return reply;
      }
      const isLink = begun.links === true && reply.next === paths.profile;
      await enter({ next: isLink ? `${paths.profile}?part=security` : (reply.next ?? begun.next), replace: true });
      if (isLink || begun.tests || begun.confirms) toast({ text: reply.message });
      return reply;
    },
  });
  const isSent = useRef(false);
  const send = useEffectEvent(() => {
    // an answer is valid only once, and leaves the address before anything else happens
    if (isSent.current || answer === '') return;
    isSent.current = true;
    history.replace(history.location.pathname);
    complete.mutate(answer);
  });
  useEffect(() => send(), []);
  const next = complete.data?.next ?? begun.next;
  const secondStep = asksAgain && {
    onSignedIn: () => void enter({ next, replace: true }).catch(() => setAsksAgain(false)),
    onBack: () => history.replace(paths.signIn),
  };
  return { answer, error: complete.error, retry: () => complete.mutate(answer), secondStep };
}

/** What failed, by what the user had started. */
function failedTitle() {
  const { links, tests, confirms } = begunSso();
  if (links) return 'linkFailed';
  if (tests) return 'testFailed';
  return confirms ? 'confirmFailed' : 'failed';
}

/** The service's message. If there was no answer, the same request can be sent again. */
function Refused({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const t = useTranslations('sso');
  const title = t(failedTitle());
  const said: Record<number, string> = { 0: t('unreachable'), 404: t('off'), 503: t('away') };
  const text = error.fieldErrors['sso'] ?? said[error.status] ?? error.message;
  return <Failed title={title} text={text} {...(error.status === 0 && { onRetry })} />;
}

type FailedProps = { title: string; text: string; onRetry?: () => void };

/** The error, with a link back. */
function Failed({ title, text, onRetry }: FailedProps) {
  const t = useTranslations('sso');
  const { links, tests, confirms, next } = begunSso();
  const { history } = useRouter();
  const back =
    tests || confirms ? (
      <Button onClick={() => history.replace(safeNext(next))}>{t(tests ? 'backToProvider' : 'backToPage')}</Button>
    ) : links ? (
      <Button renderRoot={(props) => <Link {...props} to={paths.profile} search={{ part: 'security' }} />}>
        {t('backToProfile')}
      </Button>
    ) : (
      <Button renderRoot={(props) => <Link {...props} to={paths.signIn} search={next === undefined ? {} : { next }} />}>
        {t('back')}
      </Button>
    );
  const again = onRetry && (
    <Button variant="default" onClick={onRetry}>
      {t('retry')}
    </Button>
  );
  return (
    <Message
      page
      title={title}
      actions={
        <>
          {back}
          {again}
        </>
      }
    >
      {text}
    </Message>
  );
}

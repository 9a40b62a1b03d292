%% SPDX-License-Identifier: BSD-3-Clause
%% Copyright (c) 2026 the doic-agent authors
%% A Gx client on Erlang/OTP diameter: connects, sends CCR-I, and prints one line of JSON for each answer as OTP decoded it.
%%
%%   connect=PORT identity=NAME realm=NAME dest-realm=NAME [dest-host=NAME] [count=N] [window=N] [dictionary=rfc7683|overload]
%%   [features=vector=N,source=NAME] [drmp=N]
-module(doic_client).
-export([main/0]).
-export([peer_up/4, peer_down/4, pick_peer/5, prepare_request/4, prepare_retransmit/4, handle_answer/5, handle_error/5,
         handle_request/4]).
-include_lib("diameter/include/diameter.hrl").

main() ->
    Args = doic_words:args(),
    ok = doic_words:service(?MODULE, Args, none),
    true = diameter:subscribe(?MODULE),
    {ok, _} = diameter:add_transport(?MODULE,
        {connect, [{transport_module, diameter_tcp},
                   {connect_timer, 300},
                   {transport_config, [{raddr, {127, 0, 0, 1}}, {rport, doic_words:number("connect", Args, 3868)},
                                       {ip, {127, 0, 0, 1}}]}]}),
    wait_until_up(),
    Failed = send_all(Args, doic_words:number("count", Args, 1), doic_words:number("window", Args, 20)),
    diameter:stop_service(?MODULE),
    halt(min(Failed, 1)).

wait_until_up() ->
    receive
        #diameter_event{info = Info} when element(1, Info) =:= up -> ok
    after 20000 ->
        io:format(standard_error, "no connection to the relay in 20 s~n", []),
        halt(1)
    end.

%% Window processes share Count requests; how many got no answer.
send_all(Args, Count, Window) ->
    Self = self(),
    Workers = [spawn_link(fun() -> Self ! {self(), send_some(Args, N, Count, Window)} end)
               || N <- lists:seq(1, min(Window, Count))],
    lists:sum([receive {Worker, Failed} -> Failed end || Worker <- Workers]).

send_some(Args, First, Count, Window) ->
    length([N || N <- lists:seq(First, Count, Window), failed(call(Args, N))]).

failed(ok) ->
    false;
failed(Reason) ->
    io:format(standard_error, "a request got no answer: ~p~n", [Reason]),
    true.

call(Args, Number) ->
    Text = fun(Key) -> doic_words:arg(Key, Args) end,
    Fixed = #{'Session-Id' => diameter:session_id(Text("identity")),
              'Auth-Application-Id' => 16777238,
              'Origin-Host' => Text("identity"),
              'Origin-Realm' => Text("realm"),
              'Destination-Realm' => Text("dest-realm"),
              'CC-Request-Type' => 1,
              'CC-Request-Number' => 0,
              'Subscription-Id' => [#{'Subscription-Id-Type' => 1,
                                      'Subscription-Id-Data' => io_lib:format("00101~10..0w", [Number])}]},
    diameter:call(?MODULE, gx, ['CCR' | lists:foldl(fun(Add, Map) -> Add(Args, Map) end, Fixed,
                                                    [fun destination/2, fun features/2, fun priority/2])],
                  [{timeout, 15000}]).

destination(#{"dest-host" := Host}, Map) -> Map#{'Destination-Host' => [Host]};
destination(_, Map) -> Map.

features(#{"features" := Text}, Map) -> Map#{'OC-Supported-Features' => doic_words:features(Text)};
features(_, Map) -> Map.

priority(#{"drmp" := Text} = Args, Map) ->
    Map#{'AVP' => [doic_words:other('DRMP', list_to_integer(Text), Args)]};
priority(_, Map) -> Map.

%% Callbacks of diameter; the last argument is what doic_words:service was given.
peer_up(_, _, State, _) -> State.

peer_down(_, _, State, _) -> State.

pick_peer([Peer | _], _, _, _, _) -> {ok, Peer};
pick_peer([], _, _, _, _) -> false.

prepare_request(Packet, _, _, _) -> {send, Packet}.

prepare_retransmit(Packet, _, _, _) -> {send, Packet}.

handle_answer(Packet, _, _, _, _) -> doic_words:line(doic_words:describe(Packet)).

handle_error(Reason, _, _, _, _) -> {error, Reason}.

handle_request(_, _, _, _) -> {answer_message, 3001}.

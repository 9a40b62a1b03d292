%% SPDX-License-Identifier: BSD-3-Clause
%% Copyright (c) 2026 the doic-agent authors
%% A Gx server on Erlang/OTP diameter: answers every CCR with 2001, and prints one line of JSON for each as OTP decoded it.
%%
%%   listen=PORT identity=NAME realm=NAME [dictionary=rfc7683|overload]
%%
%% Standard input is its control: lines that change what the next answers carry.
%%   features vector=N,source=NAME,algo=N     OC-Supported-Features of answers (vector=1 at first)
%%   report type=host,seq=7,pct=50,...        one more OC-OLR, in place of an earlier one of that type
%%   load type=host,value=N,source=NAME       the same for Load
%%   plain                                    nothing but OC-Supported-Features
%% Features and reports go only into answers to requests that had OC-Supported-Features (RFC 7683 section 5.1.2).
-module(doic_server).
-export([main/0]).
-export([peer_up/4, peer_down/4, pick_peer/5, prepare_request/4, prepare_retransmit/4, handle_answer/5, handle_error/5,
         handle_request/4]).
-include_lib("diameter/include/diameter.hrl").

main() ->
    Args = doic_words:args(),
    Script = ets:new(script, [public, {read_concurrency, true}]),
    true = ets:insert(Script, {features, doic_words:features("vector=1")}),
    ok = doic_words:service(?MODULE, Args, {Script, Args}),
    {ok, _} = diameter:add_transport(?MODULE,
        {listen, [{transport_module, diameter_tcp},
                  {transport_config, [{reuseaddr, true}, {ip, {127, 0, 0, 1}},
                                      {port, doic_words:number("listen", Args, 3868)}]}]}),
    io:put_chars("listening\n"),
    obey(Script).

obey(Script) ->
    case io:get_line("") of
        Line when is_list(Line) ->
            [Word | Rest] = string:split(string:trim(Line), " "),
            change(Script, Word, lists:append(Rest)),
            io:put_chars("done\n"),
            obey(Script);
        _ ->
            receive never -> ok end
    end.

change(Script, "features", Text) ->
    ets:insert(Script, {features, doic_words:features(Text)});
change(Script, "report", Text) ->
    #{'OC-Report-Type' := Type} = Report = doic_words:report(Text),
    ets:insert(Script, {{report, Type}, Report});
change(Script, "load", Text) ->
    #{'Load-Type' := Type} = Load = doic_words:load(Text),
    ets:insert(Script, {{load, Type}, Load});
change(Script, "plain", _) ->
    ets:match_delete(Script, {{'_', '_'}, '_'}).

handle_request(#diameter_packet{msg = ['CCR' | Request]} = Packet, _, {_, Caps}, {Script, Args}) ->
    doic_words:line(doic_words:describe(Packet)),
    #diameter_caps{origin_host = {Host, _}, origin_realm = {Realm, _}} = Caps,
    Fixed = (maps:with(['Session-Id', 'Auth-Application-Id', 'CC-Request-Type', 'CC-Request-Number'], Request))#{
              'Origin-Host' => Host,
              'Origin-Realm' => Realm,
              'Result-Code' => 2001,
              'AVP' => [doic_words:other('Load', Load, Args) || [Load] <- ets:match(Script, {{load, '_'}, '$1'})]},
    {reply, #diameter_packet{msg = ['CCA' | overload(Script, Request, Fixed)], errors = false}}.

overload(Script, #{'OC-Supported-Features' := _}, Answer) ->
    [{_, Features}] = ets:lookup(Script, features),
    Answer#{'OC-Supported-Features' => Features,
            'OC-OLR' => [Report || [Report] <- ets:match(Script, {{report, '_'}, '$1'})]};
overload(_, _, Answer) ->
    Answer.

%% Callbacks of diameter that a server is not asked for.
peer_up(_, _, State, _) -> State.

peer_down(_, _, State, _) -> State.

pick_peer(_, _, _, _, _) -> false.

prepare_request(Packet, _, _, _) -> {send, Packet}.

prepare_retransmit(Packet, _, _, _) -> {send, Packet}.

handle_answer(Packet, _, _, _, _) -> Packet.

handle_error(Reason, _, _, _, _) -> {error, Reason}.
